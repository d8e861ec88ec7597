// The ranges of pod addresses that kube-controller-manager hands out: `--cluster-cidr` names one, or one of each family, and the masks of
// nodes' shares come with flags of their own. What does not fit together ends the process when it leads.
import {parseCidr, type Cidr} from '../../api/meta/ip.ts';
import type {PodRange} from '../../cluster/controllers/context.ts';
import type {Flags} from './flags.ts';

const MASKS = {4: 24, 6: 64};
/** A set of parts has at most so many bits. */
const MOST_BITS = 16;

function textsOf(flags: Flags): readonly string[] {
  return flags.text('cluster-cidr').trim().split(',');
}

/** The ranges, each with the mask of a share. */
export function podRangesOf(flags: Flags): readonly PodRange[] {
  return textsOf(flags).map(cidr => ({cidr, maskSize: maskOf(flags, parseCidr(cidr))}));
}

function maskOf(flags: Flags, range: Cidr | undefined): number {
  const family = range?.ip.family ?? 4;
  return flags.number('node-cidr-mask-size') || flags.number(`node-cidr-mask-size-ipv${family}`) || MASKS[family];
}

/** The words in which the process ends when the ranges, or their masks, will not do. */
export function whyNoRanges(flags: Flags): readonly string[] | undefined {
  const said = (words: string) => [`E node_ipam_controller.go:106] ${JSON.stringify(words)}`];
  if (flags.text('cluster-cidr') === '') return said('Controller: Must specify --cluster-cidr if --allocate-node-cidrs is set');
  const texts = textsOf(flags);
  const ranges = texts.map(parseCidr).filter(range => range !== undefined);
  const why = whyInvalid(texts) ?? whyNotDual(ranges) ?? whyNoMasks(flags, ranges);
  if (why !== undefined)
    return [
      `E controllermanager.go:637] "Error initializing a controller" err=${JSON.stringify(why)} controller="node-ipam-controller"`,
      `E controllermanager.go:257] "Error building controllers" err=${JSON.stringify(why)}`,
    ];
  if (ranges.some(range => maskOf(flags, range) < range.length))
    return said(
      'Controller: Invalid --cluster-cidr, mask size of cluster CIDR must be less than or equal to --node-cidr-mask-size configured for CIDR family',
    );
  return undefined;
}

function whyInvalid(texts: readonly string[]): string | undefined {
  const index = texts.findIndex(text => parseCidr(text) === undefined);
  return index < 0 ? undefined : `invalid CIDR[${index}]: ${texts[index]} (invalid CIDR address: ${texts[index]})`;
}

function whyNotDual(ranges: readonly Cidr[]): string | undefined {
  const families = new Set(ranges.map(({ip}) => ip.family));
  if (ranges.length > 1 && families.size < 2)
    return `len of ClusterCIDRs==${ranges.length} and they are not configured as dual stack (at least one from each IPFamily`;
  return ranges.length > 2 ? `length of clusterCIDRs is:${ranges.length} more than max allowed of 2` : undefined;
}

function whyNoMasks(flags: Flags, ranges: readonly Cidr[]): string | undefined {
  const has = (name: string) => flags.number(name) > 0;
  const [plain, v4, v6] = [has('node-cidr-mask-size'), has('node-cidr-mask-size-ipv4'), has('node-cidr-mask-size-ipv6')];
  if (ranges.length > 1 && plain) return 'usage of --node-cidr-mask-size is not allowed with dual-stack clusters';
  if (plain && (v4 || v6))
    return 'usage of --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6 is not allowed if --node-cidr-mask-size is set. For dual-stack clusters please unset it';
  const [only] = ranges;
  if (ranges.length === 1 && v4 && only?.ip.family === 6)
    return 'usage of --node-cidr-mask-size-ipv4 is not allowed for a single-stack IPv6 cluster';
  if (ranges.length === 1 && v6 && only?.ip.family === 4)
    return 'usage of --node-cidr-mask-size-ipv6 is not allowed for a single-stack IPv4 cluster';
  const tooMany = ranges.some(range => range.ip.family === 6 && maskOf(flags, range) - range.length > MOST_BITS);
  return tooMany ? 'New CIDR set failed; the node CIDR size is too big' : undefined;
}
