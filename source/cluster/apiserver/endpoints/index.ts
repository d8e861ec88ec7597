// Subresources and resources that are answered in ways of their own, by `resource[.group]` and `resource[.group]/subresource`.
import type {Handler} from './asked.ts';
import {bind} from './binding.ts';
import {componentStatuses} from './component-statuses.ts';
import {evict} from './eviction.ts';
import {attach, exec, portForward, readLog} from './kubelet.ts';
import {proxyNode, proxyPod, proxyService} from './proxy.ts';
import {localSubjectAccess, selfSubject, selfSubjectAccess, selfSubjectRules, subjectAccess, tokenReview} from './reviews.ts';
import {scale} from './scale.ts';
import {issueToken} from './token.ts';

/** The handlers, each one file. */
export const SPECIAL: Readonly<Record<string, Handler>> = {
  bindings: bind,
  'pods/binding': bind,
  'pods/eviction': evict,
  'pods/log': readLog,
  'pods/exec': exec,
  'pods/attach': attach,
  'pods/portforward': portForward,
  'pods/proxy': proxyPod,
  'services/proxy': proxyService,
  'nodes/proxy': proxyNode,
  componentstatuses: componentStatuses,
  'serviceaccounts/token': issueToken,
  'deployments.apps/scale': scale,
  'replicasets.apps/scale': scale,
  'statefulsets.apps/scale': scale,
  'replicationcontrollers/scale': scale,
  'selfsubjectreviews.authentication.k8s.io': selfSubject,
  'tokenreviews.authentication.k8s.io': tokenReview,
  'selfsubjectaccessreviews.authorization.k8s.io': selfSubjectAccess,
  'selfsubjectrulesreviews.authorization.k8s.io': selfSubjectRules,
  'subjectaccessreviews.authorization.k8s.io': subjectAccess,
  'localsubjectaccessreviews.authorization.k8s.io': localSubjectAccess,
};
