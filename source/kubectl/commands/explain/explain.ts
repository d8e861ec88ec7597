// `kubectl explain`: the fields of a kind and their types, as the server publishes them.
import {fail, Failure, failRaw} from '../../failure.ts';
import {apiVersionOf, findKind, type KindInfo} from '../../resources/kinds.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from '../command.ts';
import {olderPage} from './older-pages.ts';
import {fieldPage, headText, stepInto} from './pages.ts';
import {schemasFor} from './schemas.ts';

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
  const output = flags.text('output');
  if (output !== 'plaintext' && output !== 'plaintext-openapiv2') return fail(`unrecognized format: ${output}`);
  const [word = '', ...path] = (args[0] ?? '').split('.');
  const kind = await kindOf(session, word);
  if (kind instanceof Failure) return kind;
  return showField(session, kind, path);
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

async function showField(session: Session, kind: KindInfo, path: readonly string[]): Promise<Outcome> {
  const schemas = await schemasFor(session, kind);
  if (schemas instanceof Failure) return schemas;
  const root = schemas.of(kind);
  if (!root) return fail(`couldn't find resource for "${apiVersionOf(kind)}, Kind=${kind.kind}"`);
  const isOlder = session.flags.text('output') === 'plaintext-openapiv2';
  if (!isOlder) await session.out(headText(kind));
  let at = root;
  for (const name of path) {
    const next = stepInto(schemas, at, name);
    if (!next) return fail(`field ${JSON.stringify(name)} does not exist`);
    at = next;
  }
  const page = {name: path.at(-1), recursive: session.flags.on('recursive')};
  await session.out(isOlder ? olderPage(schemas, at, {...page, kind}) : fieldPage(schemas, at, page));
  return undefined;
}
