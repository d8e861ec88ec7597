// ServiceAccount: every pod acts as an account; the account must be there, and its token is mounted into every container that does
// not mount something else in its place. The account named `default` is made by a controller in each new namespace, so a pod that
// comes a little too early waits for it.
//
// The volume's name ends in random letters; pods of one template get the same ones, so that they go on sharing their spec.
//
// Not modelled: the old tokens in Secrets.
import type {Container, PodSpec, ServiceAccount, Volume} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {sleep, type Task} from '../../../sim/task.ts';
import {Refused} from '../http/refused.ts';
import type {Attributes} from '../registry/write.ts';
import type {Plugin} from './plugin.ts';
import {forbid, isMirror, specOf, withSpec} from './pod-object.ts';
import {hasSecrets, variableSecrets} from './pod-references.ts';
import {SpecMemory} from './remember.ts';

const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const DEFAULT = 'default';
const WAITS = 10;
const WAIT_MS = 150;

const memory = new SpecMemory<PodSpec>();

export const serviceAccount: Plugin = {
  name: 'ServiceAccount',
  resources: ['pods'],
  operations: ['CREATE'],
  mutate(object, attributes) {
    if (isMirror(object)) return judgeMirror(object, attributes);
    const account = findAccount(object, attributes);
    return account ? withAccount(object, attributes, account) : waitForAccount(object, attributes);
  },
};

/** The copy of a static pod cannot have what only the server could give. */
function judgeMirror(object: AnyObject, attributes: Attributes): AnyObject | Refused {
  const spec = specOf(object);
  const no = (what: string): Refused => forbid(attributes, object, `a mirror pod may not ${what}`);
  if (spec.serviceAccountName) return no('reference service accounts');
  if (hasSecrets(spec)) return no('reference secrets');
  return (spec.volumes ?? []).some(volume => volume.projected?.sources?.some(source => source.serviceAccountToken))
    ? no('use ServiceAccountToken volume projections')
    : object;
}

const ENFORCED = 'kubernetes.io/enforce-mountable-secrets';

/** An account may say that its pods use no other secrets than those it names. */
export const mountableSecrets: Plugin = {
  name: 'ServiceAccount',
  resources: ['pods'],
  operations: ['CREATE'],
  validate(attributes) {
    const {object} = attributes;
    const account = object && !isMirror(object) ? findAccount(object, attributes) : undefined;
    if (!object || account?.metadata.annotations?.[ENFORCED] !== 'true') return undefined;
    const why = strangeSecret(specOf(object), account);
    return why === undefined ? undefined : forbid(attributes, object, why);
  },
};

/** The first secret that the account does not name. */
function strangeSecret(spec: PodSpec, {metadata, secrets = [], imagePullSecrets = []}: ServiceAccount): string | undefined {
  const known = new Set(secrets.map(secret => secret.name));
  const volumes = (spec.volumes ?? []).flatMap(({secret}) =>
    secret ? [{name: secret.secretName ?? '', text: 'volume with'}] : [],
  );
  for (const {name, text} of [...volumes, ...variableSecrets(spec)])
    if (!known.has(name))
      return `${text} secret.secretName="${name}" is not allowed because service account ${metadata.name} does not reference that secret`;
  const pull = new Set(imagePullSecrets.map(secret => secret.name));
  const at = (spec.imagePullSecrets ?? []).findIndex(secret => !pull.has(secret.name));
  if (at < 0) return undefined;
  const name = spec.imagePullSecrets?.[at]?.name ?? '';
  return `imagePullSecrets[${at}].name="${name}" is not allowed because service account ${metadata.name} does not reference that imagePullSecret`;
}

function findAccount(object: AnyObject, {write}: Attributes): ServiceAccount | undefined {
  const name = accountName(specOf(object));
  return write.core.resources.of('serviceaccounts').cache.get(`${write.info.namespace}/${name}`) as ServiceAccount | undefined;
}

function accountName(spec: PodSpec): string {
  return spec.serviceAccountName || spec.serviceAccount || DEFAULT;
}

function* waitForAccount(object: AnyObject, attributes: Attributes): Task<AnyObject | Refused> {
  const name = accountName(specOf(object));
  for (let tries = 0; name === DEFAULT && tries < WAITS; tries++) {
    yield* sleep(WAIT_MS);
    const account = findAccount(object, attributes);
    if (account) return withAccount(object, attributes, account);
  }
  const place = `${attributes.write.info.namespace}/${name}`;
  return forbid(
    attributes,
    object,
    `error looking up service account ${place}: serviceaccount ${JSON.stringify(name)} not found`,
  );
}

function withAccount(object: AnyObject, {write}: Attributes, account: ServiceAccount): AnyObject {
  const spec = specOf(object);
  const {name, uid, resourceVersion} = account.metadata;
  return withSpec(
    object,
    memory.of(spec, `${name} ${uid} ${resourceVersion}`, () => {
      const secrets = spec.imagePullSecrets?.length ? undefined : account.imagePullSecrets;
      const named: PodSpec = {
        ...spec,
        serviceAccountName: name,
        serviceAccount: name,
        ...(secrets?.length ? {imagePullSecrets: secrets} : {}),
      };
      const mounts = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
      // Dice of the spec's own: what was remembered before must not shift the luck of the names that are thrown after.
      return mounts ? withToken(named, write.core.daemon.dice.of(JSON.stringify(named)).suffix()) : named;
    }),
  );
}

function withToken(spec: PodSpec, suffix: string): PodSpec {
  const there = spec.volumes?.find(volume => volume.name.startsWith('kube-api-access-'));
  const name = there?.name ?? `kube-api-access-${suffix}`;
  const wanted = [...spec.containers, ...(spec.initContainers ?? [])].some(lacksToken);
  if (!wanted) return spec;
  return {
    ...spec,
    volumes: there ? (spec.volumes ?? []) : [...(spec.volumes ?? []), tokenVolume(name)],
    containers: spec.containers.map(container => withMount(container, name)),
    ...(spec.initContainers ? {initContainers: spec.initContainers.map(container => withMount(container, name))} : {}),
  };
}

function lacksToken(container: Container): boolean {
  return !container.volumeMounts?.some(mount => mount.mountPath === MOUNT_PATH);
}

function withMount(container: Container, name: string): Container {
  if (!lacksToken(container)) return container;
  return {...container, volumeMounts: [...(container.volumeMounts ?? []), {name, readOnly: true, mountPath: MOUNT_PATH}]};
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        {serviceAccountToken: {expirationSeconds: 3607, path: 'token'}},
        {configMap: {name: 'kube-root-ca.crt', items: [{key: 'ca.crt', path: 'ca.crt'}]}},
        {downwardAPI: {items: [{path: 'namespace', fieldRef: {apiVersion: 'v1', fieldPath: 'metadata.namespace'}}]}},
      ],
      defaultMode: 420,
    },
  };
}
