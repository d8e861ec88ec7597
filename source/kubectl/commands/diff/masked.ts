// The values of a Secret are not shown: stars stand for them, and tell where two sides differ.
import type {AnyObject} from '../../../api/meta/object.ts';

const STARS = '***';

type Data = Readonly<Record<string, string>>;

/** Both sides with stars for the values. */
export function masked(before: AnyObject | undefined, after: AnyObject): {before: AnyObject | undefined; after: AnyObject} {
  if (after.kind !== 'Secret' || after.apiVersion !== 'v1') return {before, after};
  const [old, fresh] = [dataOf(before), dataOf(after)];
  const stars = (data: Data, other: Data, words: string) =>
    Object.fromEntries(
      Object.keys(data).map(key => [key, !Object.hasOwn(other, key) || data[key] === other[key] ? STARS : `${STARS} (${words})`]),
    );
  return {before: before && withData(before, stars(old, fresh, 'before')), after: withData(after, stars(fresh, old, 'after'))};
}

function dataOf(object: AnyObject | undefined): Data {
  return (object as {data?: Data} | undefined)?.data ?? {};
}

function withData(object: AnyObject, data: Data): AnyObject {
  return 'data' in object ? {...object, data} : object;
}
