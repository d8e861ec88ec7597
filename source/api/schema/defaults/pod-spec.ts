// What a pod's spec gets, in a Pod and in every template.
import type {
  Container,
  ContainerPort,
  EphemeralContainer,
  HTTPGetAction,
  Lifecycle,
  PodSpec,
  Probe,
} from '../../kinds/core-v1.ts';
import {change, each, fill, remembered, set} from './fill.ts';
import {pullPolicyOf} from './pull-policy.ts';
import {defaultVolume} from './volumes.ts';

const NOTHING = Object.freeze({});

/** The defaults of a pod's spec, made once for each template. */
export const defaultPodSpec = remembered(completePodSpec);

/** The same, not remembered: for those who remember more. */
export function completePodSpec(spec: PodSpec): PodSpec {
  const account = spec.serviceAccountName ?? spec.serviceAccount;
  let out = fill(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: NOTHING,
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
  });
  // The old name of the field is kept beside the new one.
  if (account !== undefined) out = set(out, {serviceAccountName: account, serviceAccount: account});
  const onHost = out.hostNetwork === true;
  out = change(out, 'containers', list => each(list, container => defaultContainer(container, onHost)));
  out = change(out, 'initContainers', list => each(list, container => defaultContainer(container, onHost)));
  out = change(out, 'ephemeralContainers', list =>
    each(list, container => defaultContainer<EphemeralContainer>(container, false)),
  );
  return change(out, 'volumes', list => each(list, defaultVolume));
}

function defaultContainer<C extends Container | EphemeralContainer>(container: C, onHost: boolean): C {
  let out: Container = container;
  out = fill(out, {
    imagePullPolicy: pullPolicyOf(container.image),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
  if (onHost) out = change(out, 'ports', list => each(list, shareHostPort));
  out = change(out, 'livenessProbe', defaultProbe);
  out = change(out, 'readinessProbe', defaultProbe);
  out = change(out, 'startupProbe', defaultProbe);
  out = change(out, 'lifecycle', defaultLifecycle);
  out = change(out, 'env', list =>
    each(list, variable =>
      change(variable, 'valueFrom', source => change(source, 'fieldRef', ref => fill(ref, {apiVersion: 'v1'}))),
    ),
  );
  return out as C;
}

function shareHostPort(port: ContainerPort): ContainerPort {
  return port.hostPort ? port : set(port, {hostPort: port.containerPort});
}

function defaultProbe(probe: Probe): Probe {
  let out = fill(probe, {timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3});
  out = change(out, 'httpGet', defaultHttpGet);
  return change(out, 'grpc', grpc => fill(grpc, {service: ''}));
}

function defaultHttpGet(action: HTTPGetAction): HTTPGetAction {
  return fill(action, {path: '/', scheme: 'HTTP'});
}

function defaultLifecycle(lifecycle: Lifecycle): Lifecycle {
  const out = change(lifecycle, 'postStart', handler => change(handler, 'httpGet', defaultHttpGet));
  return change(out, 'preStop', handler => change(handler, 'httpGet', defaultHttpGet));
}
