// What kube-apiserver says of flags that cannot be, before it reads a file: some mistakes end it at once, all others are told
// together, in the order in which its parts are asked.
import {aggregated} from '../../api/meta/go-text.ts';
import names from '../../api/data/known-names.json' with {type: 'json'};
import {whyBadGates} from './feature-gates.ts';
import type {Flags} from './flags.ts';
import {whyBadPort} from './serving-flags.ts';

const MODES = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'];

/** The ways of authorization; without any everything is allowed. */
export function authorizationModes(flags: Flags): readonly string[] {
  const modes = flags.list('authorization-mode');
  return modes.length === 0 ? ['AlwaysAllow'] : modes;
}

/** Why it cannot start with these flags. */
export function whyBadApiServerFlags(flags: Flags): string | undefined {
  const gate = whyBadGates(flags);
  if (gate !== undefined) return gate;
  const ranges = flags.list('service-cluster-ip-range');
  const range = ranges.findIndex(each => !isCidr(each));
  if (range >= 0) return `service-cluster-ip-range[${range}] is not a valid cidr`;
  const problems = CHECKS.flatMap(check => check(flags));
  return aggregated(problems);
}

type Check = (flags: Flags) => readonly string[];

const CHECKS: readonly Check[] = [limits, etcd, port, issuers, authorization, audit, admission, tokens, servicePort];

function port(flags: Flags): string[] {
  const why = whyBadPort(flags, true);
  return why === undefined ? [] : [why];
}

/** Numbers that cannot be negative, in their order. */
function limits(flags: Flags): string[] {
  const problems: string[] = [];
  const notNegative = (name: string, words = 'can not be negative value') => {
    if (flags.text(name).startsWith('-') && !/^-0+\D*$/.test(flags.text(name))) problems.push(`--${name} ${words}`);
  };
  notNegative('livez-grace-period', 'can not be a negative value');
  notNegative('max-requests-inflight');
  notNegative('max-mutating-requests-inflight');
  notNegative('request-timeout');
  const chance = flags.number('goaway-chance');
  if (chance < 0 || chance > 0.02) problems.push('--goaway-chance can not be less than 0 or greater than 0.02');
  notNegative('min-request-timeout');
  notNegative('storage-initialization-timeout');
  notNegative('shutdown-delay-duration');
  return problems;
}

function etcd(flags: Flags): string[] {
  const problems = flags.list('etcd-servers').length === 0 ? ['--etcd-servers must be specified'] : [];
  const backend = flags.text('storage-backend');
  if (backend !== '' && backend !== 'etcd3')
    problems.push("--storage-backend invalid, allowed values: etcd3. If not specified, it will default to 'etcd3'");
  return problems;
}

function issuers(flags: Flags): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const issuer of flags.all('service-account-issuer')) {
    if (issuer === '') problems.push('service-account-issuer should not be an empty string');
    else if (seen.has(issuer)) problems.push(`service-account-issuer ${JSON.stringify(issuer)} is already specified`);
    seen.add(issuer);
  }
  return problems;
}

function authorization(flags: Flags): string[] {
  const problems: string[] = [];
  const modes = authorizationModes(flags);
  const policy = flags.text('authorization-policy-file');
  const webhook = flags.text('authorization-webhook-config-file');
  for (const mode of modes) {
    if (!MODES.includes(mode)) problems.push(`authorization-mode ${JSON.stringify(mode)} is not a valid mode`);
    if (mode === 'ABAC' && policy === '') problems.push("authorization-mode ABAC's authorization policy file not passed");
    if (mode === 'Webhook' && webhook === '') problems.push("authorization-mode Webhook's authorization config file not passed");
  }
  if (policy !== '' && !modes.includes('ABAC')) problems.push('cannot specify --authorization-policy-file without mode ABAC');
  if (webhook !== '' && !modes.includes('Webhook'))
    problems.push('cannot specify --authorization-webhook-config-file without mode Webhook');
  if (new Set(modes).size < modes.length)
    problems.push(`authorization-mode [${modes.map(mode => JSON.stringify(mode)).join(' ')}] has mode specified more than once`);
  return problems;
}

function audit(flags: Flags): string[] {
  return ['audit-log-maxage', 'audit-log-maxbackup', 'audit-log-maxsize'].flatMap(name =>
    flags.text('audit-log-path') !== '' && flags.number(name) < 0
      ? [`--${name} ${flags.text(name)} can't be a negative number`]
      : [],
  );
}

function admission(flags: Flags): string[] {
  const [enabled, disabled] = [flags.list('enable-admission-plugins'), flags.list('disable-admission-plugins')];
  const unknown = (side: string, plugins: readonly string[]) =>
    plugins
      .filter(plugin => !names.admissionPlugins.includes(plugin))
      .map(plugin => `${side}-admission-plugins plugin ${JSON.stringify(plugin)} is unknown`);
  const both = enabled.filter(plugin => disabled.includes(plugin)).sort();
  return [
    ...unknown('enable', enabled),
    ...unknown('disable', disabled),
    ...(both.length > 0 ? [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`] : []),
  ];
}

/** Tokens need an issuer and a key, both or an end. */
function tokens(flags: Flags): string[] {
  const [issuer = ''] = flags.all('service-account-issuer');
  const key = flags.text('service-account-signing-key-file');
  if (issuer !== '' && key !== '') return [];
  return issuer === '' && key === '' && flags.list('api-audiences').length === 0
    ? ['--service-account-signing-key-file and --service-account-issuer are required flags']
    : ['--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together'];
}

function servicePort(flags: Flags): string[] {
  const port = flags.number('kubernetes-service-node-port');
  if (port >= 0 && port <= 65_535) return [];
  return [
    `--kubernetes-service-node-port ${port} must be between 0 and 65535, inclusive. If 0, the Kubernetes master service will be of type ClusterIP`,
  ];
}

function isCidr(text: string): boolean {
  const [, address = '', bits = ''] = /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})$/.exec(text) ?? [];
  if (address !== '') return Number(bits) <= 32 && address.split('.').every(part => Number(part) < 256);
  return /^[0-9a-f:]*:[0-9a-f:]*\/(\d{1,2}|1[01]\d|12[0-8])$/i.test(text);
}
