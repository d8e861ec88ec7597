// nginx, under the names that it is published as: a web server of files, with the configuration that is mounted into it. As on the
// nodes of the recordings it starts without a word, and its page is short; what is wrong with its configuration it does say.
import type {CatalogueEntry, Start} from '../image.ts';
import type {ProgramModel} from '../program-model.ts';
import {releases, sized, type Family} from './family.ts';
import {CONFIG_FILES, DEFAULT_CONF, MIME_TYPES, NGINX_CONF, WELCOME} from './nginx-files.ts';
import {configuredNginx, failing} from './nginx-model.ts';
import {problemPage} from './nginx-pages.ts';
import type {Release} from './tags.ts';

const HTML = '/usr/share/nginx/html';
const WRITES = ['/var/cache/nginx', '/var/cache/nginx/client_temp'];

/** As it comes: the files of its folder on port 80. */
function usual(version: string): ProgramModel {
  return {
    listen: [80],
    accessLog: true,
    cpu: '1m',
    memory: '6Mi',
    server: `nginx/${version}`,
    serves: {folder: HTML, page: status => problemPage(status, version)},
  };
}

/** What its arguments, its user and its files make of it. */
function started(start: Start, version: string, plain: ProgramModel): ProgramModel | undefined {
  const options = start.argv.slice(1);
  if (options.some(option => /^-[vVtTsh?]$/.test(option))) return undefined;
  const broken = whyNot(start);
  if (broken !== undefined) return failing(broken);
  const model = configuredNginx(start, version, plain);
  const stays =
    options.some(option => /daemon\s+off/.test(option)) ||
    /^\s*daemon\s+off\s*;/m.test(start.fileText('/etc/nginx/nginx.conf') ?? '');
  return stays ? model : {...model, exitCode: 0};
}

/** It makes its folders first, and gives them to its workers. */
function whyNot(start: Start): string | undefined {
  const codes: Readonly<Record<string, number>> = {'Permission denied': 13, 'Read-only file system': 30};
  for (const folder of WRITES) {
    const why = start.cannotMake(folder);
    if (why !== undefined) return `mkdir() "${WRITES[1]}" failed (${codes[why] ?? 2}: ${why})`;
  }
  if (start.uid === 0 && !start.may('CHOWN')) return `chown("${WRITES[1]}", 101) failed (1: Operation not permitted)`;
  return undefined;
}

function entry(release: Release): Omit<CatalogueEntry, 'image'> {
  const {version} = release;
  const program = usual(version);
  return {
    size: sized(release, '68Mi', '20Mi'),
    program,
    modelFor: start => started(start, version, program),
    reads: ['/etc/nginx', '/var/cache/nginx'],
    entrypoint: ['/docker-entrypoint.sh'],
    command: ['nginx', '-g', 'daemon off;'],
    ports: [80],
    stopSignal: 'SIGQUIT',
    env: {NGINX_VERSION: version},
    tools: `nginx ${version}`,
    files: {
      [`${HTML}/index.html`]: WELCOME,
      [CONFIG_FILES.main]: NGINX_CONF,
      [CONFIG_FILES.site]: DEFAULT_CONF,
      [CONFIG_FILES.types]: MIME_TYPES,
    },
  };
}

const TAGS = releases(
  '1.7.12 1.8.1 1.9.15 1.10.3 1.11.13 1.12.2 1.13.12 1.14.2 1.15.12 1.16.1 1.17.10 1.18.0 1.19.10 1.20.2 1.21.6 1.22.1 1.23.4 1.24.0 1.25.5 1.26.3 1.27.5 1.28.0 1.29.3',
  {
    names: {stable: '1.28.0', mainline: '1.29.3'},
    variants: /^(alpine(3\.\d{1,2})?(-(slim|perl|otel))?|perl|otel|(buster|bullseye|bookworm|trixie)(-(perl|otel))?)$/,
  },
);

/** What others publish of it, that serves the same. */
export const NGINX: readonly Family[] = [
  {name: 'nginx', tags: TAGS, entry},
  {name: 'public.ecr.aws/nginx/nginx', tags: TAGS, entry},
  {name: 'public.ecr.aws/docker/library/nginx', tags: TAGS, entry},
  {name: 'registry.k8s.io/nginx', tags: {names: {'1.7.9': '1.7.9', '1.14.2': '1.14.2', '1.15.4': '1.15.4'}}, entry},
  {
    name: 'registry.k8s.io/nginx-slim',
    tags: {names: {'0.7': '1.9.7', '0.8': '1.11.1', '0.21': '1.23.0', '0.24': '1.25.0', '0.27': '1.27.0'}},
    entry,
  },
  {
    name: 'registry.k8s.io/e2e-test-images/nginx',
    tags: {names: {'1.14-1': '1.14.2', '1.14-2': '1.14.2', '1.14-4': '1.14.2', '1.15-1': '1.15.12', '1.15-4': '1.15.12'}},
    entry,
  },
  {name: 'nginxinc/nginx-unprivileged', tags: TAGS, entry: unprivileged},
];

/** The one for users who are not root: on 8080, and it writes to /tmp alone. */
function unprivileged(release: Release): Omit<CatalogueEntry, 'image'> {
  const {modelFor: _modelFor, reads: _reads, program, ...rest} = entry(release);
  return {...rest, program: {...program, listen: [8080]}, ports: [8080], user: '101'};
}
