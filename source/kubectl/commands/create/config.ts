// `kubectl create configmap` and `create secret`.
import {keyPairProblem} from '../../../api/pki/key-pair.ts';
import {fail, Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {contentHash} from './content-hash.ts';
import {generatorCommand, type Draft} from './generator.ts';
import {readKeys} from './keys.ts';

const KEY_FLAGS = ['append-hash', 'from-env-file', 'from-file', 'from-literal'];

export const createConfigMap = generatorCommand({
  path: 'kubectl create configmap',
  short: 'Create a config map from files, folders or literals',
  examples: [
    'kubectl create configmap settings --from-literal=mode=fast',
    'kubectl create configmap settings --from-file=app.conf',
  ],
  flags: KEY_FLAGS,
  refusal: 'failed to create configmap:',
  make: (session, name) => {
    const keys = readKeys(session, {kind: 'ConfigMap', name});
    if (keys instanceof Failure) return keys;
    const data = Object.fromEntries([...keys].filter(([, text]) => !isBinary(text)));
    const binaryData = Object.fromEntries(
      [...keys].filter(([, text]) => isBinary(text)).map(([key, text]) => [key, base64Of(text)]),
    );
    const held = {data, ...(Object.keys(binaryData).length > 0 ? {binaryData} : {})};
    const end = session.flags.on('append-hash') ? `-${contentHash({kind: 'ConfigMap', name, ...held})}` : '';
    const {data: texts, ...others} = held;
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {name: `${name}${end}`},
      ...(Object.keys(texts).length > 0 ? held : others),
    };
  },
});

/** A text from bytes that are no UTF-8 has one character for each: high ones, and somewhere a control character. */
function isBinary(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- that is what is looked for
  return /[\u0080-\u00ff]/.test(text) && /[\0-\u0008]/.test(text) && !/[^\0-\u00ff]/.test(text);
}

function base64Of(text: string): string {
  return Buffer.from(text, isBinary(text) ? 'latin1' : 'utf8').toString('base64');
}

function secret(
  {flags}: Session,
  name: string,
  {keys, type}: {keys: ReadonlyMap<string, string>; type?: string | undefined},
): Draft {
  const data = Object.fromEntries([...keys].map(([key, text]) => [key, base64Of(text)]));
  const end = flags.on('append-hash') ? `-${contentHash({kind: 'Secret', type: type ?? '', name, data})}` : '';
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {name: `${name}${end}`},
    ...(keys.size > 0 ? {data} : {}),
    ...(type ? {type} : {}),
  };
}

export const createSecretGeneric = generatorCommand({
  path: 'kubectl create secret generic',
  short: 'Create a secret from files, folders or literals',
  examples: ['kubectl create secret generic db --from-literal=password=hunter2'],
  flags: [...KEY_FLAGS, 'type'],
  refusal: 'failed to create secret',
  make: (session, name) => {
    const keys = readKeys(session, {kind: 'Secret', name});
    return keys instanceof Failure ? keys : secret(session, name, {keys, type: session.flags.text('type')});
  },
});

export const createSecretTls = generatorCommand({
  path: 'kubectl create secret tls',
  short: 'Create a secret from a certificate and its key',
  examples: ['kubectl create secret tls shop --cert=shop.crt --key=shop.key'],
  flags: ['append-hash', 'cert', 'key'],
  refusal: 'failed to create secret',
  make: (session, name) => {
    const {flags, process} = session;
    const [certFile, keyFile] = [flags.text('cert'), flags.text('key')];
    if (certFile === '' || keyFile === '') return fail('key and cert must be specified');
    const texts: string[] = [];
    for (const file of [certFile, keyFile]) {
      const text = process.machine.files.read(process.path(file));
      if (text === undefined) return fail(`Cannot read file ${file}, open ${file}: no such file or directory`);
      texts.push(text);
    }
    const [cert = '', key = ''] = texts;
    const problem = keyPairProblem(cert, key);
    if (problem !== undefined) return fail(problem);
    const keys = new Map([
      ['tls.crt', cert],
      ['tls.key', key],
    ]);
    return secret(session, name, {keys, type: 'kubernetes.io/tls'});
  },
});

export const createSecretRegistry = generatorCommand({
  path: 'kubectl create secret docker-registry',
  short: 'Create a secret for an image registry',
  examples: [
    'kubectl create secret docker-registry pull --docker-server=registry.local --docker-username=me --docker-password=secret',
  ],
  flags: ['append-hash', 'docker-email', 'docker-password', 'docker-server', 'docker-username', 'from-file'],
  refusal: 'failed to create secret',
  make: registry,
});

function registry(session: Session, name: string): Draft | Failure {
  const {flags} = session;
  const type = 'kubernetes.io/dockerconfigjson';
  if (flags.list('from-file').length > 0) {
    const keys = readKeys(session, {kind: 'Secret', name});
    if (keys instanceof Failure) return keys;
    // A file without a name of its own is the login file.
    const [source = ''] = flags.list('from-file');
    const [text = ''] = keys.values();
    const named = source.includes('=') ? keys : new Map([['.dockerconfigjson', text]]);
    return secret(session, name, {keys: named, type});
  }
  const [username, password, email] = [flags.text('docker-username'), flags.text('docker-password'), flags.text('docker-email')];
  if (username === '' || password === '') {
    return fail('either --from-file or the combination of --docker-username, --docker-password and --docker-server is required');
  }
  const auth = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
  const login = {username, password, ...(email === '' ? {} : {email}), auth};
  const keys = new Map([['.dockerconfigjson', JSON.stringify({auths: {[flags.text('docker-server')]: login}})]]);
  return secret(session, name, {keys, type});
}
