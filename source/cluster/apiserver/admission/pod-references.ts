// The secrets and ConfigMaps that a pod names.
import type {Container, PodSpec, Volume} from '../../../api/kinds/core-v1.ts';

/** A secret, and in which words the server speaks of the place that names it. */
export interface SecretPlace {
  readonly name: string;
  readonly text: string;
}

function places(container: Container, who: string): SecretPlace[] {
  const inEnv = (container.env ?? []).flatMap(({name, valueFrom}) =>
    valueFrom?.secretKeyRef ? [{name: valueFrom.secretKeyRef.name ?? '', text: `with envVar ${name} referencing`}] : [],
  );
  const whole = (container.envFrom ?? []).flatMap(({secretRef}) =>
    secretRef ? [{name: secretRef.name ?? '', text: 'with envFrom referencing'}] : [],
  );
  return [...inEnv, ...whole].map(({name, text}) => ({name, text: `${who} ${container.name} ${text}`}));
}

/** The secrets in variables of containers. */
export function variableSecrets(spec: PodSpec): readonly SecretPlace[] {
  const init = (spec.initContainers ?? []).flatMap(container => places(container, 'init container'));
  const plain = spec.containers.flatMap(container => places(container, 'container'));
  return [...init, ...plain];
}

function secretOf(volume: Volume): boolean {
  const {azureFile, cephfs, cinder, csi, flexVolume, iscsi, projected, rbd, scaleIO, secret, storageos} = volume;
  const inSource =
    cephfs?.secretRef ??
    cinder?.secretRef ??
    csi?.nodePublishSecretRef ??
    flexVolume?.secretRef ??
    iscsi?.secretRef ??
    rbd?.secretRef ??
    scaleIO?.secretRef ??
    storageos?.secretRef;
  return Boolean(secret ?? azureFile ?? inSource) || (projected?.sources ?? []).some(source => source.secret);
}

/** Does a pod name any secret? */
export function hasSecrets(spec: PodSpec): boolean {
  return Boolean(spec.imagePullSecrets?.length) || variableSecrets(spec).length > 0 || (spec.volumes ?? []).some(secretOf);
}

/** Does a pod name any ConfigMap? */
export function hasConfigMaps(spec: PodSpec): boolean {
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  return (
    containers.some(
      ({env, envFrom}) =>
        Boolean(env?.some(({valueFrom}) => valueFrom?.configMapKeyRef)) ||
        Boolean(envFrom?.some(({configMapRef}) => configMapRef)),
    ) || (spec.volumes ?? []).some(({configMap, projected}) => configMap ?? projected?.sources?.some(source => source.configMap))
  );
}
