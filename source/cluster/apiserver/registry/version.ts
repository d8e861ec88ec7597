// The resourceVersion that a client says it means, in an object that it writes.
import {plainError} from '../../../api/meta/status.ts';
import {refuse, type Refused} from '../http/refused.ts';

/** The version; undefined where any will do, which clients say by saying nothing, or `0`. What is no number is an error of the store. */
export function meantVersion(text: string | undefined): string | undefined | Refused {
  if (text === undefined || text === '') return undefined;
  if (!/^[0-9]+$/.test(text)) return refuse(plainError(`strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`));
  return /^0+$/.test(text) ? undefined : text;
}
