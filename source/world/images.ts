// Well-known images of public registries, for clusters without a level: what people type when they try something out. Their
// programs are models: how long they take to start, what they listen on and answer, what they need. Sizes are about true.
import type {CatalogueEntry} from '../cluster/runtime/image.ts';
import type {ProgramModel} from '../cluster/runtime/program-model.ts';

export type {CatalogueEntry, ProgramModel};

/** A registry, and whether it says 401 of what it does not have. */
export interface RegistryDescription {
  /** As images name it. */
  readonly name: string;
  /** As its server is called. */
  readonly host: string;
  readonly address: string;
  readonly secretive: boolean;
}

/** The registries that the world has, each a machine of its own outside of the cluster. */
export const REGISTRIES: readonly RegistryDescription[] = [
  {name: 'registry.local', host: 'registry.local', address: '10.0.0.200', secretive: false},
  {name: 'docker.io', host: 'registry-1.docker.io', address: '192.0.2.10', secretive: true},
  {name: 'registry.k8s.io', host: 'registry.k8s.io', address: '192.0.2.11', secretive: false},
  {name: 'quay.io', host: 'quay.io', address: '192.0.2.12', secretive: true},
  {name: 'ghcr.io', host: 'ghcr.io', address: '192.0.2.13', secretive: true},
];

const WELCOME =
  '200 <!DOCTYPE html>\n<html>\n<head>\n<title>Welcome to nginx!</title>\n</head>\n<body>\n<h1>Welcome to nginx!</h1>\n</body>\n</html>\n';

const nginx: ProgramModel = {
  startSeconds: 0.2,
  listen: [80],
  http: {'/': WELCOME},
  cpu: '1m',
  memory: '4Mi',
  accessLog: true,
  log: ['/docker-entrypoint.sh: Configuration complete; ready for start up'],
};
const httpd: ProgramModel = {
  startSeconds: 0.2,
  listen: [80],
  http: {'/': '200 <html><body><h1>It works!</h1></body></html>\n'},
  cpu: '1m',
  memory: '8Mi',
  accessLog: true,
};
const redis: ProgramModel = {
  startSeconds: 0.1,
  listen: [6379],
  cpu: '2m',
  memory: '8Mi',
  log: ['Ready to accept connections tcp'],
  user: 999,
};
const postgres: ProgramModel = {
  startSeconds: 2,
  listen: [5432],
  cpu: '3m',
  memory: '40Mi',
  log: ['database system is ready to accept connections'],
  needs: {
    env: ['POSTGRES_PASSWORD'],
    exitCode: 1,
    message:
      'Error: Database is uninitialized and superuser password is not specified.\n       You must specify POSTGRES_PASSWORD to a non-empty value for the superuser.',
  },
};
const pause: ProgramModel = {startSeconds: 0, cpu: '0', memory: '1Mi', termCode: 2};
const metrics: ProgramModel = {cpu: '4m', memory: '22Mi'};

/** The address of a registry's server; undefined for a name that is none. */
export function registryAddress(host: string): string | undefined {
  return REGISTRIES.find(registry => registry.host === host || registry.name === host)?.address;
}

function tagged(name: string, tags: readonly string[], rest: Omit<CatalogueEntry, 'image'>): readonly CatalogueEntry[] {
  return tags.map(tag => ({image: `${name}:${tag}`, ...rest}));
}

/** All of them. */
export const WELL_KNOWN_IMAGES: readonly CatalogueEntry[] = [
  ...tagged('docker.io/library/nginx', ['latest', '1.25', '1.26', '1.27', '1.28', '1.29', 'alpine', '1.27-alpine', 'stable'], {
    size: 72_000_000,
    program: nginx,
    ports: [80],
  }),
  ...tagged('docker.io/library/httpd', ['latest', '2.4', '2.4.65'], {size: 58_000_000, program: httpd, ports: [80]}),
  ...tagged('docker.io/library/redis', ['latest', '6', '7', '8', 'alpine'], {size: 45_000_000, program: redis, ports: [6379]}),
  ...tagged('docker.io/library/postgres', ['latest', '15', '16', '17'], {size: 150_000_000, program: postgres, ports: [5432]}),
  ...tagged('docker.io/library/busybox', ['latest', '1.28', '1.36', '1.37', 'stable'], {size: 2_200_000, command: ['sh']}),
  ...tagged('docker.io/library/alpine', ['latest', '3', '3.20', '3.21', '3.22'], {size: 3_600_000, command: ['/bin/sh']}),
  ...tagged('docker.io/library/bash', ['latest', '5'], {size: 6_000_000, command: ['bash']}),
  ...tagged('docker.io/library/ubuntu', ['latest', '22.04', '24.04'], {size: 29_000_000, command: ['/bin/bash']}),
  ...tagged('docker.io/library/debian', ['latest', '12', '13', 'bookworm'], {size: 48_000_000, command: ['bash']}),
  ...tagged('docker.io/curlimages/curl', ['latest', '8.11.1', '8.16.0'], {
    size: 9_000_000,
    entrypoint: ['/entrypoint.sh'],
    command: ['curl'],
  }),
  ...tagged('registry.k8s.io/pause', ['3.9', '3.10', '3.10.1'], {size: 320_000, program: pause, tools: 'none'}),
  ...tagged('registry.k8s.io/coredns/coredns', ['v1.13.1'], {size: 22_000_000, program: metrics, tools: 'none'}),
  ...tagged('registry.k8s.io/kube-proxy', ['v1.35.4'], {size: 26_000_000, program: metrics}),
  ...tagged('registry.k8s.io/metrics-server/metrics-server', ['v0.8.0'], {size: 22_000_000, program: metrics, tools: 'none'}),
];

/** All images of a cluster: the well-known ones, and those of its description with their models. */
export function imagesOf(description: {
  readonly images: readonly {readonly image: string; readonly sizeBytes: number; readonly program: string}[];
  readonly programs: Readonly<Record<string, ProgramModel>>;
}): readonly CatalogueEntry[] {
  const own = description.images.map(({image, sizeBytes, program}) => {
    const model = description.programs[program];
    return {image, size: sizeBytes, ...(model ? {program: model} : {})};
  });
  return [...WELL_KNOWN_IMAGES, ...own];
}
