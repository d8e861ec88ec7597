import {expect, test} from 'vitest';
import type {PodSpec} from '../kinds/core-v1.ts';
import {fieldErrorText} from '../meta/field-error.ts';
import type {AnyObject} from '../meta/object.ts';
import {builtin} from '../meta/resources.ts';
import {applyDefaults, decodeKind} from '../schema/index.ts';
import {validate} from './index.ts';

const NO_EXECUTE = {operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300} as const;
const TOKEN = {name: 'kube-api-access-x', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount'};

// A Pod as the server stores it: the numbers of lines in the pictures are those of the recording of v1.35.
const SPEC: PodSpec = {
  nodeName: 'node-1',
  activeDeadlineSeconds: 600,
  enableServiceLinks: true,
  priority: 0,
  preemptionPolicy: 'PreemptLowerPriority',
  serviceAccountName: 'default',
  tolerations: [
    {key: 'gpu', operator: 'Exists'},
    {key: 'node.kubernetes.io/not-ready', ...NO_EXECUTE},
    {key: 'node.kubernetes.io/unreachable', ...NO_EXECUTE},
  ],
  containers: [
    {
      name: 'app',
      image: 'nginx:1.28',
      env: [{name: 'MODE', value: 'test'}],
      resources: {requests: {cpu: '100m'}},
      volumeMounts: [TOKEN],
    },
  ],
  volumes: [
    {
      name: TOKEN.name,
      projected: {
        defaultMode: 420,
        sources: [
          {serviceAccountToken: {expirationSeconds: 3607, path: 'token'}},
          {configMap: {name: 'kube-root-ca.crt', items: [{key: 'ca.crt', path: 'ca.crt'}]}},
          {downwardAPI: {items: [{path: 'namespace', fieldRef: {apiVersion: 'v1', fieldPath: 'metadata.namespace'}}]}},
        ],
      },
    },
  ],
};

function stored(changes: Partial<PodSpec>): AnyObject {
  const metadata = {name: 'web', namespace: 'default', uid: 'u', resourceVersion: '1'};
  const pod = {apiVersion: 'v1', kind: 'Pod', metadata, spec: {...SPEC, ...changes}};
  const decoded = decodeKind(pod, pod);
  if (!decoded?.ok) throw new Error('no Pod');
  return applyDefaults(decoded.value as AnyObject);
}

test.each<[string, Partial<PodSpec>]>([
  [
    `@@ -101,7 +101,7 @@
    "Env": [
     {
      "Name": "MODE",
-     "Value": "test",
+     "Value": "live",
      "ValueFrom": null
     }
    ],
`,
    {containers: SPEC.containers.map(container => ({...container, env: [{name: 'MODE', value: 'live'}]}))},
  ],
  [
    `@@ -148,7 +148,7 @@
  "NodeSelector": null,
  "ServiceAccountName": "default",
  "AutomountServiceAccountToken": null,
- "NodeName": "node-1",
+ "NodeName": "node-2",
  "SecurityContext": {
   "HostNetwork": false,
   "HostPID": false,
`,
    {nodeName: 'node-2'},
  ],
  [
    `@@ -142,11 +142,11 @@
  ],
  "EphemeralContainers": null,
  "RestartPolicy": "Always",
- "TerminationGracePeriodSeconds": 30,
+ "TerminationGracePeriodSeconds": 5,
  "ActiveDeadlineSeconds": 600,
  "DNSPolicy": "ClusterFirst",
  "NodeSelector": null,
- "ServiceAccountName": "default",
+ "ServiceAccountName": "other",
  "AutomountServiceAccountToken": null,
  "NodeName": "node-1",
  "SecurityContext": {
`,
    {serviceAccountName: 'other', terminationGracePeriodSeconds: 5},
  ],
])('the picture of a refused change is the real one: %s', (picture, changes) => {
  const [error] = validate(builtin('pods'), stored(changes), stored({}));
  expect(error && fieldErrorText(error).split('\n').slice(1).join('\n')).toBe(picture);
});
