// `--feature-gates`, as every component takes it. A gate may be written with the component's name before it (`kube:NodeSwap=true`).
import names from '../../api/data/known-names.json' with {type: 'json'};
import type {Flags} from './flags.ts';

const KNOWN: ReadonlySet<string> = new Set(names.featureGates);

/** What is wrong with the gates; the first mistake is the one that is told. */
export function whyBadGates(flags: Flags): string | undefined {
  const pairs = flags.list('feature-gates').map(pair => pair.replace(/^kube:/, '').split(/=(.*)/s));
  for (const [name = '', value] of pairs) {
    if (value === undefined) return `missing bool value for ${name.trim()}`;
    if (!/^(1|0|t|f|T|F|true|false|TRUE|FALSE|True|False)$/.test(value.trim())) {
      const given = value.trim();
      return `invalid value of ${name.trim()}=${given}, err: strconv.ParseBool: parsing ${JSON.stringify(given)}: invalid syntax`;
    }
  }
  const unknown = pairs.map(([name = '']) => name.trim()).find(name => !KNOWN.has(name));
  return unknown === undefined ? undefined : `unrecognized feature gate: ${unknown}`;
}
