// All commands, in reading order.
import {apply} from './apply/apply.ts';
import {canI} from './auth/can-i.ts';
import {reconcile} from './auth/reconcile.ts';
import {whoami} from './auth/whoami.ts';
import {apiResources, apiVersions} from './api-resources.ts';
import {editLastApplied, setLastApplied, viewLastApplied} from './apply/record.ts';
import {attach} from './attach.ts';
import {autoscale} from './autoscale.ts';
import {approve, deny} from './certificate/decide.ts';
import {clusterInfoDump} from './cluster-dump.ts';
import {clusterInfo} from './cluster-info.ts';
import type {Command} from './command.ts';
import {deleteCluster, deleteContext, deleteUser, renameContext, setCluster, setContext, useContext} from './config/change.ts';
import {setCredentials} from './config/credentials.ts';
import {configSet, configUnset} from './config/property.ts';
import {configView, currentContext, getClusters, getContexts, getUsers} from './config/view.ts';
import {createBudget, createNamespace, createPriorityClass, createQuota, createServiceAccount} from './create/accounts.ts';
import {createConfigMap, createSecretGeneric, createSecretRegistry, createSecretTls} from './create/config.ts';
import {create} from './create/create.ts';
import {createClusterRole, createClusterRoleBinding, createRole, createRoleBinding} from './create/roles.ts';
import {
  createIngress,
  createServiceClusterIP,
  createServiceExternalName,
  createServiceLoadBalancer,
  createServiceNodePort,
} from './create/services.ts';
import {createToken} from './create/token.ts';
import {createCronJob, createDeployment, createJob} from './create/workloads.ts';
import {completion} from './completion.ts';
import {cp} from './cp.ts';
import {debug} from './debug/debug.ts';
import {deleteObjects} from './delete.ts';
import {describe} from './describe.ts';
import {diff} from './diff/diff.ts';
import {edit} from './edit/edit.ts';
import {events} from './events.ts';
import {exec} from './exec.ts';
import {explain} from './explain/explain.ts';
import {expose} from './expose.ts';
import {get} from './get/get.ts';
import {kustomize} from './kustomize.ts';
import {annotate, label} from './label.ts';
import {logs} from './logs/logs.ts';
import {cordon, uncordon} from './node/cordon.ts';
import {drain} from './node/drain.ts';
import {taint} from './node/taint.ts';
import {options} from './options.ts';
import {patch} from './patch.ts';
import {pluginList} from './plugin-list.ts';
import {portForward} from './port-forward.ts';
import {proxy} from './proxy.ts';
import {replace} from './replace.ts';
import {rolloutHistory} from './rollout/history.ts';
import {rolloutPause, rolloutRestart, rolloutResume} from './rollout/restart.ts';
import {rolloutStatus} from './rollout/status.ts';
import {rolloutUndo} from './rollout/undo.ts';
import {run} from './run/run.ts';
import {scale} from './scale.ts';
import {setEnv} from './set/env.ts';
import {setImage} from './set/image.ts';
import {setResources} from './set/resources.ts';
import {setSelector} from './set/selector.ts';
import {setServiceAccount} from './set/serviceaccount.ts';
import {setSubject} from './set/subject.ts';
import {topNode} from './top/node.ts';
import {topPod} from './top/pod.ts';
import {version} from './version.ts';
import {wait} from './wait/wait.ts';

/** One of a kind is one file and one line here. */
export const COMMANDS: readonly Command[] = [
  get,
  describe,
  logs,
  apply,
  diff,
  create,
  replace,
  patch,
  deleteObjects,
  scale,
  createDeployment,
  createNamespace,
  createConfigMap,
  createSecretGeneric,
  createSecretTls,
  createSecretRegistry,
  createServiceAccount,
  createJob,
  createCronJob,
  createRole,
  createClusterRole,
  createRoleBinding,
  createClusterRoleBinding,
  createQuota,
  createPriorityClass,
  createBudget,
  createIngress,
  createServiceClusterIP,
  createServiceNodePort,
  createServiceLoadBalancer,
  createServiceExternalName,
  createToken,
  expose,
  rolloutStatus,
  rolloutHistory,
  rolloutUndo,
  rolloutRestart,
  rolloutPause,
  rolloutResume,
  setImage,
  setEnv,
  setResources,
  setServiceAccount,
  setSelector,
  setSubject,
  label,
  annotate,
  taint,
  cordon,
  uncordon,
  options,
  run,
  exec,
  attach,
  events,
  topNode,
  topPod,
  drain,
  wait,
  approve,
  deny,
  canI,
  whoami,
  reconcile,
  version,
  clusterInfo,
  clusterInfoDump,
  apiResources,
  apiVersions,
  explain,
  autoscale,
  kustomize,
  debug,
  completion,
  cp,
  portForward,
  proxy,
  edit,
  viewLastApplied,
  setLastApplied,
  editLastApplied,
  configView,
  getContexts,
  currentContext,
  useContext,
  setContext,
  renameContext,
  deleteContext,
  setCluster,
  deleteCluster,
  getClusters,
  setCredentials,
  deleteUser,
  getUsers,
  configSet,
  configUnset,
  pluginList,
];
