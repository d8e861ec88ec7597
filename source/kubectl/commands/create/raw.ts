// The body of `create --raw` and `replace --raw`: one file, as it is.
import {parseJson} from '../../../api/schema/index.ts';
import {fail, type Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';

/** The text of the one file, as JSON where it is JSON. */
export async function rawBody(session: Session): Promise<unknown> {
  const files = session.flags.list('filename');
  const [name = ''] = files;
  if (files.length !== 1) return refused('--raw can only use a single local file or stdin');
  if (session.flags.text('output') !== '') return refused('--raw and --output are mutually exclusive');
  const text = name === '-' ? await session.process.readAll() : session.process.machine.files.read(session.process.path(name));
  if (text === undefined) return refused(`open ${name}: no such file or directory`);
  const json = parseJson(text);
  return 'value' in json ? json.value : text;
}

function refused(message: string): Failure {
  return fail(message);
}
