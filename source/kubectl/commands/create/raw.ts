// The body of `create --raw` and `replace --raw`: one file, as it is.
import {fail} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {rawProblem} from '../raw.ts';

/** The text of the one file. */
export async function rawBody(session: Session): Promise<unknown> {
  const files = session.flags.list('filename');
  const [name = ''] = files;
  if (files.length === 0) return fail('must specify one of -f and -k');
  if (session.flags.on('edit')) return fail('--raw and --edit are mutually exclusive');
  if (files.length !== 1) return fail('--raw can only use a single local file or stdin');
  if (session.flags.text('selector') !== '') return fail('--raw and --selector (-l) are mutually exclusive');
  const wrong = rawProblem(session);
  if (wrong) return wrong;
  const text = name === '-' ? await session.process.readAll() : session.process.machine.files.read(session.process.path(name));
  if (text === undefined) return fail(`open ${name}: no such file or directory`);
  return text;
}
