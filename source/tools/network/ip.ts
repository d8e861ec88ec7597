// `ip`: addresses, links and routes of this machine, to look at. Changes are refused.
import type {Program} from '../../sim/process/machine.ts';
import type {NetworkFacts} from './facts.ts';

interface Link {
  readonly name: string;
  readonly flags: string;
  readonly mtu: number;
  readonly kind: 'loopback' | 'ether';
  readonly mac: string;
  readonly addresses: readonly string[];
  readonly more: string;
}

function macOf(address: string, first: string): string {
  const parts = address.split('.').map(part => Number(part).toString(16).padStart(2, '0'));
  return `${first}:58:${parts.join(':')}`;
}

function gatewayOf(range: string): string {
  return range.replace(/\.0\/(\d+)$/, '.1/$1');
}

function linksOf({address, podRange, pods}: NetworkFacts): Link[] {
  const up = 'BROADCAST,MULTICAST,UP,LOWER_UP';
  const links: Link[] = [
    {
      name: 'lo',
      flags: 'LOOPBACK,UP,LOWER_UP',
      mtu: 65_536,
      kind: 'loopback',
      mac: '00:00:00:00:00:00',
      addresses: ['127.0.0.1/8'],
      more: '',
    },
    {name: 'eth0', flags: up, mtu: 1500, kind: 'ether', mac: macOf(address, '02'), addresses: [`${address}/24`], more: ''},
  ];
  if (podRange === undefined || pods.length === 0) return links;
  const gateway = gatewayOf(podRange);
  links.push({
    name: 'cni0',
    flags: up,
    mtu: 1500,
    kind: 'ether',
    mac: macOf(gateway.replace(/\/.*/, ''), '0a'),
    addresses: [gateway],
    more: '',
  });
  for (const pod of pods)
    links.push({
      name: `veth${pod.id.slice(0, 8)}@if2`,
      flags: up,
      mtu: 1500,
      kind: 'ether',
      mac: macOf(pod.address, '0e'),
      addresses: [],
      more: ' master cni0',
    });
  return links;
}

function linkLine({name, flags, mtu, kind, more}: Link, index: number): string {
  const state = kind === 'loopback' ? 'UNKNOWN' : 'UP';
  return `${index + 1}: ${name}: <${flags}> mtu ${mtu} qdisc ${name === 'lo' || name.startsWith('veth') || name === 'cni0' ? 'noqueue' : 'fq_codel'}${more} state ${state} group default qlen 1000`;
}

function addressText(links: readonly Link[], only: string | undefined): string {
  return links
    .map((link, index) => ({link, index}))
    .filter(({link}) => only === undefined || link.name.replace(/@.*/, '') === only)
    .map(({link, index}) => {
      const inet = link.addresses.map(address => {
        const scope = link.name === 'lo' ? 'host lo' : `global ${link.name}`;
        const brd = link.name === 'lo' ? '' : ` brd ${address.replace(/\.\d+\/\d+$/, '.255')}`;
        return `    inet ${address}${brd} scope ${scope}\n       valid_lft forever preferred_lft forever\n`;
      });
      return `${linkLine(link, index)}\n    link/${link.kind} ${link.mac} brd ${link.kind === 'loopback' ? link.mac : 'ff:ff:ff:ff:ff:ff'}\n${inet.join('')}`;
    })
    .join('');
}

function routeText({address, podRange, pods, routes}: NetworkFacts): string {
  const site = address.replace(/\.\d+$/, '');
  const own =
    podRange !== undefined && pods.length > 0
      ? [`${podRange} dev cni0 proto kernel scope link src ${gatewayOf(podRange).replace(/\/.*/, '')}`]
      : [];
  return [
    `default via ${site}.1 dev eth0`,
    `${site}.0/24 dev eth0 proto kernel scope link src ${address}`,
    ...[...own, ...routes.map(({range, via}) => `${range} via ${via} dev eth0`)].sort(),
  ]
    .map(line => `${line}\n`)
    .join('');
}

/** Makes the program of a machine. */
export function makeIp(facts: () => NetworkFacts): Program {
  return async process => {
    const words = process.argv.slice(1);
    const brief = words.some(word => word === '-br' || word === '-brief');
    const [object = '', verb = 'show', ...rest] = words.filter(word => !word.startsWith('-'));
    const now = facts();
    const isShow = 'show'.startsWith(verb) || 'list'.startsWith(verb) || verb === 'lst' || verb === 'dev';
    const isA = (name: string, least = 1) => object.length >= least && name.startsWith(object);
    if (object === '') {
      await process.err('Usage: ip [ OPTIONS ] OBJECT { COMMAND | help }\n');
      return 255;
    }
    if (!isA('address') && !isA('link') && !isA('route')) {
      await process.err(`Object "${object}" is unknown, try "ip help".\n`);
      return 1;
    }
    if (!isShow) {
      await process.err('RTNETLINK answers: Operation not permitted\n');
      return 2;
    }
    if (isA('route')) {
      await process.out(routeText(now));
      return 0;
    }
    const links = linksOf(now);
    const dev = rest.at(-1);
    if (dev !== undefined && !links.some(link => link.name.replace(/@.*/, '') === dev)) {
      await process.err(`Device "${dev}" does not exist.\n`);
      return 1;
    }
    if (brief)
      await process.out(
        links
          .map(({name, kind, addresses, mac, flags}) => {
            const state = (kind === 'loopback' ? 'UNKNOWN' : 'UP').padEnd(14);
            return `${name.padEnd(16)} ${state} ${isA('link') ? `${mac} <${flags}>` : addresses.join(' ')} \n`;
          })
          .join(''),
      );
    else if (isA('link'))
      await process.out(
        links
          .map((link, index) => `${linkLine(link, index)}\n    link/${link.kind} ${link.mac} brd ff:ff:ff:ff:ff:ff\n`)
          .join(''),
      );
    else await process.out(addressText(links, dev));
    return 0;
  };
}
