// What a command looks at, as a place on the way from `kubectl apply` to a running container: for the debrief, which shows where the
// player looked, in which order, and where not.

/** The places, in the order of the way. */
export const PLACES = [
  'API server',
  'etcd',
  'deployment',
  'replicaset',
  'scheduler',
  'kubelet',
  'runtime',
  'pod',
  'endpoints',
  'events',
] as const;

export type Place = (typeof PLACES)[number];

const KINDS: readonly (readonly [RegExp, Place])[] = [
  [/^(deploy|deployments?|statefulsets?|sts|daemonsets?|ds|jobs?|cronjobs?|cj)(\.|$)/, 'deployment'],
  [/^(rs|replicasets?)(\.|$)/, 'replicaset'],
  [/^(po|pods?)$/, 'pod'],
  [/^(no|nodes?)$/, 'scheduler'],
  [/^(svc|services?|ep|endpoints|endpointslices?|ing|ingress(es)?|netpol|networkpolic(y|ies))(\.|$)/, 'endpoints'],
  [/^(ev|events?)$/, 'events'],
  [/^(validating|mutating).*|^(apiservices?|cs|componentstatuses|leases?)(\.|$)/, 'API server'],
];

const PROGRAMS: Readonly<Record<string, Place>> = {
  etcdctl: 'etcd',
  etcdutl: 'etcd',
  crictl: 'runtime',
  journalctl: 'kubelet',
  systemctl: 'kubelet',
  why: 'scheduler',
  curl: 'endpoints',
  wget: 'endpoints',
  nslookup: 'endpoints',
  dig: 'endpoints',
};

const VERBS: Readonly<Record<string, Place>> = {
  logs: 'pod',
  exec: 'pod',
  attach: 'pod',
  debug: 'pod',
  'port-forward': 'pod',
  events: 'events',
  rollout: 'deployment',
  scale: 'deployment',
  expose: 'endpoints',
  drain: 'scheduler',
  cordon: 'scheduler',
  uncordon: 'scheduler',
  taint: 'scheduler',
  'cluster-info': 'API server',
};

/** The places that a line of commands looks at, each once, in its order. */
export function looksOf(line: string): readonly Place[] {
  const looks = line.split(/[|;&\n]+/).flatMap(part => placesOf(part.trim().split(/\s+/).filter(Boolean)));
  return [...new Set(looks)];
}

function placesOf([program = '', ...words]: readonly string[]): readonly Place[] {
  const own = PROGRAMS[program];
  if (own) return [own];
  if (program === 'ssh') return placesOf(words.slice(1));
  if (program !== 'kubectl' && program !== 'k') return [];
  const plain = words.filter(word => !word.startsWith('-'));
  const [verb = '', ...rest] = plain;
  const named = rest.flatMap(word =>
    word.split(',').flatMap(each => KINDS.filter(([kind]) => kind.test(each.split('/')[0] ?? '')).map(([, place]) => place)),
  );
  const [first] = named;
  if (first) return verb === 'describe' && named.includes('pod') ? [...named, 'events'] : named;
  const byVerb = VERBS[verb];
  return byVerb ? [byVerb] : [];
}
