// `kubectl explain`: the fields of a kind and their types. The prose of the real one is not here: the facts were taken without it.
import {schemaOf, typeOfKind, type Schema} from '../../../api/schema/index.ts';
import {fail, Failure, failRaw} from '../../failure.ts';
import {apiVersionOf, findKind, type KindInfo} from '../../resources/kinds.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from '../command.ts';
import {fieldPage, headText, stepInto} from './pages.ts';
import {servedSchema} from './served.ts';

export const explain: Command = {
  path: 'kubectl explain',
  short: 'Show the fields of a kind',
  examples: ['kubectl explain pods', 'kubectl explain deploy.spec.strategy', 'kubectl explain pod.spec.affinity --recursive'],
  does: [...COMMON_FLAGS, 'api-version', 'output', 'recursive'],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (args.length === 0)
    return fail(
      'You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.',
    );
  if (args.length > 1) return fail('We accept only this format: explain RESOURCE');
  if (flags.text('output') !== 'plaintext') return fail(`this kubectl cannot explain as ${flags.text('output')} yet`);
  const [word = '', ...path] = (args[0] ?? '').split('.');
  const kind = await kindOf(session, word);
  if (kind instanceof Failure) return kind;
  const type = typeOfKind(apiVersionOf(kind), kind.kind);
  const schema = type === undefined ? await servedSchema(session, kind) : schemaOf(type);
  if (schema instanceof Failure) return schema;
  if (!schema) return fail(`couldn't find schema for ${JSON.stringify(`${apiVersionOf(kind)}, Kind=${kind.kind}`)}`);
  await session.out(headText(kind));
  return showField(session, schema, path);
}

async function kindOf(session: Session, word: string): Promise<KindInfo | Failure> {
  const kinds = await session.kinds([word]);
  if (kinds instanceof Failure) return kinds;
  const kind = findKind(kinds, word);
  if (!kind) return failRaw(`the server doesn't have a resource type ${JSON.stringify(word)}\n`);
  const wanted = session.flags.text('api-version');
  if (wanted === '') return kind;
  const other = kinds.all.find(one => one.resource === kind.resource && apiVersionOf(one) === wanted);
  return other ?? fail(`couldn't find resource for "${wanted.includes('/') ? '' : '/'}${wanted}, Resource=${kind.resource}"`);
}

async function showField(session: Session, root: Schema, path: readonly string[]): Promise<Outcome> {
  let at: Schema = root;
  for (const name of path) {
    const next = stepInto(at, name);
    if (!next) return fail(`field ${JSON.stringify(name)} does not exist`);
    at = next;
  }
  await session.out(fieldPage(at, {name: path.at(-1), recursive: session.flags.on('recursive')}));
  return undefined;
}
