// Which tags a repository has, as a rule instead of a list: the newest patch of each series, the suffixes of its variants, and names
// that stand for a version. So real tags are there and invented ones are not.
//
//     {releases: ['1.26.3', '1.27.5'], variants: /^alpine$/}
//     1.27.5, 1.27.0, 1.27, 1, latest, 1.27-alpine, alpine: there        1.99, 1.27.6, 1.27-alpin, latestt: not

/** The rule. */
export interface Tags {
  /** The newest of each series, oldest first: `1.27.5` tells of 1.27.0 to 1.27.5 too. */
  readonly releases?: readonly string[];
  /** Only the releases themselves are there, none before them. */
  readonly exact?: boolean;
  /** Before each number, as `v`. */
  readonly prefix?: string;
  /** What may stand after the version and a dash, or alone. */
  readonly variants?: RegExp;
  /** Other names, and the version that each stands for; may be followed by a variant. */
  readonly names?: Readonly<Record<string, string>>;
  /** No `latest`, and no series without its patch. */
  readonly strict?: boolean;
}

/** What a tag stands for. */
export interface Release {
  readonly tag: string;
  readonly version: string;
  /** As `alpine`; empty for the usual one. */
  readonly variant: string;
}

/** Reads a tag; undefined where the repository has none of that name. */
export function releaseOf(tags: Tags, tag: string): Release | undefined {
  const {variants, names = {}, prefix = ''} = tags;
  const named = names[tag];
  if (named !== undefined) return {tag, version: named, variant: ''};
  const newest = tags.releases?.at(-1);
  if (tag === 'latest' && !tags.strict) return newest === undefined ? undefined : {tag, version: newest, variant: ''};
  if (newest !== undefined && !tags.strict && variants?.test(tag)) return {tag, version: newest, variant: tag};
  for (const cut of cuts(tag)) {
    const [head, variant] = [tag.slice(0, cut), tag.slice(cut + 1)];
    if (variant !== '' && !variants?.test(variant)) continue;
    const version = names[head] ?? (head.startsWith(prefix) ? published(tags, head.slice(prefix.length)) : undefined);
    if (version !== undefined) return {tag, version, variant};
  }
  return undefined;
}

/** Tags to show of a repository: each name, each series and its newest. Variants are not listed. */
export function listedTags({releases = [], names = {}, prefix = '', strict = false}: Tags): string[] {
  const series = strict ? [] : releases.map(seriesOf).filter(each => each !== '');
  const numbers = new Set([...series, ...releases]);
  return [
    ...Object.keys(names),
    ...(strict || releases.length === 0 ? [] : ['latest']),
    ...[...numbers].map(each => prefix + each),
  ];
}

/** Where a version may end: at each dash, and at the end. */
function cuts(tag: string): number[] {
  const found = [tag.length];
  for (let at = tag.lastIndexOf('-'); at > 0; at = tag.lastIndexOf('-', at - 1)) found.push(at);
  return found;
}

function published({releases = [], strict, exact}: Tags, wanted: string): string | undefined {
  if (releases.includes(wanted)) return wanted;
  const patch = Number(wanted.slice(wanted.lastIndexOf('.') + 1));
  const series = seriesOf(wanted);
  const isNumber = /^\d+(\.\d+)*$/.test(wanted);
  if (!isNumber) return undefined;
  const within = releases.find(each => seriesOf(each) === series && series !== '');
  if (!exact && within !== undefined && patch < Number(within.slice(series.length + 1))) return wanted;
  return strict ? undefined : releases.findLast(each => each.startsWith(`${wanted}.`));
}

function seriesOf(version: string): string {
  const dot = version.lastIndexOf('.');
  return dot < 0 ? '' : version.slice(0, dot);
}
