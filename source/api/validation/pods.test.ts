import {expect, test} from 'vitest';
import {errorsOf, type Draft} from './testing/drafts.ts';

const container = {name: 'app', image: 'nginx:1.27'};
const pod = (spec: object, metadata: object = {}): Draft => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata,
  spec: {containers: [container], serviceAccountName: 'default', ...spec},
});
const volume = (source: object): Draft => pod({volumes: [{name: 'v', ...source}]});
const app = (more: object, spec: object = {}): Draft => pod({...spec, containers: [{...container, ...more}]});
const context = (securityContext: object, spec: object = {}): Draft => app({securityContext}, spec);

test.each<[string, Draft]>([
  ['spec.volumes[0].gitRepo.repository: Required value', volume({gitRepo: {repository: ''}})],
  [
    'spec.volumes[0].gitRepo.directory: Invalid value: "../x": must not contain \'..\'',
    volume({gitRepo: {repository: 'r', directory: '../x'}}),
  ],
  ['spec.volumes[0].persistentDisk.pdName: Required value', volume({gcePersistentDisk: {pdName: ''}})],
  [
    'spec.volumes[0].awsElasticBlockStore.partition: Invalid value: 256: must be between 1 and 255, inclusive',
    volume({awsElasticBlockStore: {volumeID: 'x', partition: 256}}),
  ],
  [
    'spec.volumes[0].iscsi.iqn: Invalid value: "disk": must be valid format starting with iqn, eui, or naa',
    volume({iscsi: {targetPortal: 'p', iqn: 'disk', lun: 0}}),
  ],
  [
    'spec.volumes[0].iscsi.lun: Invalid value: 300: must be between 0 and 255, inclusive',
    volume({iscsi: {targetPortal: 'p', iqn: 'iqn.2015-02.example.com:test', lun: 300}}),
  ],
  ['spec.volumes[0].fc.lun: Required value: lun is required if targetWWNs is specified', volume({fc: {targetWWNs: ['a']}})],
  [
    'spec.volumes[0].flocker: Required value: one of datasetName and datasetUUID is required',
    volume({flocker: {datasetName: ''}}),
  ],
  ['spec.volumes[0].cephfs.monitors: Required value', volume({cephfs: {monitors: []}})],
  [
    'spec.volumes[0].cephFS: Forbidden: may not specify more than 1 volume type',
    volume({emptyDir: {}, cephfs: {monitors: ['a']}}),
  ],
  [
    'spec.volumes[0].flexVolume.options[kubernetes.io/x]: Invalid value: "kubernetes.io/x": kubernetes.io and k8s.io namespaces are reserved',
    volume({flexVolume: {driver: 'd', options: {'kubernetes.io/x': 'y'}}}),
  ],
  [
    'spec.volumes[0].azureDisk.diskURI: Unsupported value: "x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
    volume({azureDisk: {diskName: 'd', diskURI: 'x', kind: 'Managed'}}),
  ],
  ['spec.volumes[0].azureFile.shareName: Required value', volume({azureFile: {secretName: 's', shareName: ''}})],
  [
    'spec.volumes[0].csi.nodePublishSecretRef.name: Required value',
    volume({csi: {driver: 'd', nodePublishSecretRef: {name: ''}}}),
  ],
  ['spec.volumes[0].csi.driver: Too long: may not be more than 63 bytes', volume({csi: {driver: 'd'.repeat(64)}})],
  [
    'spec.volumes[0].projected: Invalid value: "labels": conflicting duplicate paths',
    volume({
      projected: {
        sources: [
          {downwardAPI: {items: [{path: 'labels', fieldRef: {fieldPath: 'metadata.labels'}}]}},
          {downwardAPI: {items: [{path: 'labels', fieldRef: {fieldPath: 'metadata.annotations'}}]}},
        ],
      },
    }),
  ],
  [
    'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "a-scratch": must not reference a PVC that gets created for an ephemeral volume',
    pod({
      volumes: [
        {
          name: 'scratch',
          ephemeral: {volumeClaimTemplate: {spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}}}},
        },
        {name: 'v', persistentVolumeClaim: {claimName: 'a-scratch'}},
      ],
    }),
  ],
])('of a volume: %s', (error, draft) => {
  expect(errorsOf(draft)).toEqual([error]);
});

const mounted = (mount: object, more: object = {}): Draft =>
  app({volumeMounts: [{name: 'v', mountPath: '/d', ...mount}], ...more}, {volumes: [{name: 'v', emptyDir: {}}]});
const claims = {
  volumes: [
    {name: 'v', emptyDir: {}},
    {name: 'c', persistentVolumeClaim: {claimName: 'c'}},
  ],
};

test.each<[string, Draft]>([
  [
    'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
    mounted({mountPropagation: 'Bidirectional'}),
  ],
  [
    'spec.containers[0].volumeMounts.mountPropagation: Unsupported value: "Up": supported values: "Bidirectional", "HostToContainer", "None"',
    mounted({mountPropagation: 'Up'}),
  ],
  [
    'spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
    mounted({recursiveReadOnly: 'Enabled'}),
  ],
  [
    'spec.containers[0].volumeMounts.recursiveReadOnly: Unsupported value: "Yes": supported values: "Disabled", "Enabled", "IfPossible"',
    mounted({recursiveReadOnly: 'Yes'}),
  ],
  [
    'spec.containers[0].volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
    app({volumeDevices: [{name: 'v', devicePath: '/dev/x'}]}, claims),
  ],
  [
    'spec.containers[0].volumeDevices[0].devicePath: Invalid value: "/dev/../x": can not contain backsteps (\'..\')',
    app({volumeDevices: [{name: 'c', devicePath: '/dev/../x'}]}, claims),
  ],
  [
    'spec.containers[0].volumeMounts[0].mountPath: Invalid value: "/d": must not already exist as a path in volumeDevices',
    app({volumeMounts: [{name: 'v', mountPath: '/d'}], volumeDevices: [{name: 'c', devicePath: '/d'}]}, claims),
  ],
])('of a mount: %s', (error, draft) => {
  expect(errorsOf(draft)[0]).toBe(error);
});

test.each<[string, Draft]>([
  [
    'spec.containers[0].restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"',
    app({restartPolicy: 'Sometimes'}),
  ],
  [
    'spec.containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
    app({restartPolicyRules: [{action: 'Restart', exitCodes: {operator: 'In', values: [3]}}]}),
  ],
  [
    'spec.containers[0].restartPolicyRules[0].exitCodes: Required value: must be specified',
    app({restartPolicy: 'Never', restartPolicyRules: [{action: 'Restart'}]}),
  ],
  [
    'spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always',
    pod({
      initContainers: [
        {
          name: 'i',
          image: 'i',
          restartPolicy: 'Always',
          restartPolicyRules: [{action: 'Restart', exitCodes: {operator: 'In', values: [1]}}],
        },
      ],
    }),
  ],
  [
    'spec.containers[0].resizePolicy: Unsupported value: "gpu": supported values: "cpu", "memory"',
    app({resizePolicy: [{resourceName: 'gpu', restartPolicy: 'NotRequired'}]}),
  ],
  [
    "spec.containers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when `restartPolicy` is 'Never'",
    app({resizePolicy: [{resourceName: 'cpu', restartPolicy: 'RestartContainer'}]}, {restartPolicy: 'Never'}),
  ],
  [
    'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
    context({procMount: 'Unmasked'}),
  ],
  [
    'spec.containers[0].securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set',
    context({seccompProfile: {type: ''}}),
  ],
  [
    'spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: {"Type":"RuntimeDefault","LocalhostProfile":"x"}: can only be set when seccomp type is Localhost',
    context({seccompProfile: {type: 'RuntimeDefault', localhostProfile: 'x'}}),
  ],
  [
    'spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: "/x": must be a relative path',
    context({seccompProfile: {type: 'Localhost', localhostProfile: '/x'}}),
  ],
  [
    'spec.containers[0].securityContext.appArmorProfile.type: Unsupported value: "Strict": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
    context({appArmorProfile: {type: 'Strict'}}),
  ],
  [
    'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost',
    context({appArmorProfile: {type: 'Localhost'}}),
  ],
  [
    'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
    context({windowsOptions: {runAsUserName: 'a\\b\\c'}}),
  ],
  ['spec.HostPID: Forbidden: when `hostUsers` is false', pod({hostUsers: false, hostPID: true})],
  [
    'spec.securityContext.sysctls[0].name: Invalid value: "net.ipv4.ip_forward": may not be specified when \'hostNetwork\' is true',
    pod({hostNetwork: true, securityContext: {sysctls: [{name: 'net.ipv4.ip_forward', value: '1'}]}}),
  ],
  [
    String.raw`spec.securityContext.sysctls[0].name: Invalid value: "Kernel": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`,
    pod({securityContext: {sysctls: [{name: 'Kernel', value: '1'}]}}),
  ],
  [
    'spec.securityContext.supplementalGroupsPolicy: Unsupported value: "Mix": supported values: "Merge", "Strict"',
    pod({securityContext: {supplementalGroupsPolicy: 'Mix'}}),
  ],
  [
    'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
    pod({securityContext: {seLinuxChangePolicy: 'MountOption'}}),
  ],
  [
    'spec.hostnameOverride: Too long: may not be more than 64 bytes',
    pod({hostnameOverride: `${'a'.repeat(40)}.${'a'.repeat(40)}`}),
  ],
  ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"', pod({os: {name: 'plan9'}})],
  [
    'spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod',
    context({privileged: false}, {os: {name: 'windows'}}),
  ],
  [
    'spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
    pod({os: {name: 'linux'}, securityContext: {windowsOptions: {}}}),
  ],
  [
    'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
    context({windowsOptions: {hostProcess: true}}),
  ],
  [
    'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Not found: "v"',
    app({env: [{name: 'A', valueFrom: {fileKeyRef: {key: 'A', volumeName: 'v', path: 'f'}}}]}),
  ],
  [
    "spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: \"metadata.name['x']\": error converting fieldPath: field label does not support subscript: metadata.name['x']",
    app({env: [{name: 'A', valueFrom: {fieldRef: {fieldPath: "metadata.name['x']"}}}]}),
  ],
  [
    'spec.overhead.limits[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified',
    pod({overhead: {gpu: '1'}}),
  ],
  [
    'spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level',
    pod({resources: {claims: [{name: 'x'}]}}),
  ],
  [
    'spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1',
    app({resources: {limits: {cpu: '2'}, requests: {cpu: '1'}}}, {resources: {limits: {cpu: '1'}}}),
  ],
  [
    'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
    pod({}, {annotations: {'kubernetes.io/config.mirror': 'x'}}),
  ],
  [
    'metadata.annotations[container.apparmor.security.beta.kubernetes.io/b]: Invalid value: "b": container not found',
    pod({}, {annotations: {'container.apparmor.security.beta.kubernetes.io/b': 'runtime/default'}}),
  ],
])('of a pod: %s', (error, draft) => {
  expect(errorsOf(draft)).toContain(error);
});

test.each<[string, Draft]>([
  ['a volume of each kind that has no rules', volume({portworxVolume: {volumeID: 'x'}})],
  ['a device', app({volumeDevices: [{name: 'c', devicePath: '/dev/x'}]}, claims)],
  ['a container with its own policy', app({restartPolicy: 'OnFailure'}, {restartPolicy: 'Never'})],
  ['a pod whose users are its own', context({procMount: 'Unmasked'}, {hostUsers: false})],
])('%s is good', (_, draft) => {
  expect(errorsOf(draft)).toEqual([]);
});

const template = (spec: object, metadata: object = {}): Draft => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: {
    selector: {matchLabels: {app: 'web'}},
    template: {metadata: {labels: {app: 'web'}, ...metadata}, spec: {containers: [container], ...spec}},
  },
});

test.each<[string[], Draft]>([
  [[], template({containers: [{...container, image: ' nginx'}]})],
  [
    [
      "spec.template.annotations: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
    template({}, {annotations: {'a b': 'x'}}),
  ],
  [
    ['spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template'],
    template({ephemeralContainers: [{name: 'd', image: 'd'}]}),
  ],
])('of a template: %j', (errors, draft) => {
  expect(errorsOf(draft)).toEqual(errors);
});

const gated = (spec: object): Draft => pod({schedulingGates: [{name: 'wait'}], ...spec});
const requires = (...terms: object[]): object => ({
  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: terms}}},
});
const term = (key: string, value: string): object => ({matchExpressions: [{key, operator: 'In', values: [value]}]});
const AT = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

test.each<[string[], Draft, Draft]>([
  [[], gated(requires(term('a', 'b'))), gated({})],
  [
    [],
    gated(
      requires({
        matchExpressions: [...(term('a', 'b') as {matchExpressions: []}).matchExpressions, {key: 'c', operator: 'Exists'}],
      }),
    ),
    gated(requires(term('a', 'b'))),
  ],
  [
    [
      `${AT}[0]: Invalid value: {"MatchExpressions":[{"Key":"a","Operator":"In","Values":["c"]}],"MatchFields":null}: only additions are allowed (no mutations or deletions)`,
    ],
    gated(requires(term('a', 'c'))),
    gated(requires(term('a', 'b'))),
  ],
  [
    ['metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not add mirror pod annotation'],
    pod({nodeName: 'n'}, {annotations: {'kubernetes.io/config.mirror': 'x'}}),
    pod({nodeName: 'n'}),
  ],
])('a change of a pod gives %j', (errors, draft, before) => {
  expect(errorsOf(draft, before)).toEqual(errors);
});
