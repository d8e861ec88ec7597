// Stores and queues: what they listen on, need and say as they start. Redis answers (`runtime/redis`); of the others neither the clients
// in the image (`psql`, `mysql`) nor what they store are there: they listen, use memory, and end as they are told.
import {redisModel} from '../redis/model.ts';
import type {ProgramModel} from '../program-model.ts';
import {ALPINE, OFFICIAL, releases, sized, type Entry, type Family} from './family.ts';

/** A store that listens on a port. */
function server(size: string, command: string, port: number, program: ProgramModel, more: Partial<Entry> = {}): Entry {
  return {size, ports: [port], command: [command], tools: 'debian', program: {listen: [port], ...program}, ...more};
}

/** Redis, with its client. */
export function redis(version: string, size: string, more: Partial<Entry> = {}): Entry {
  return {
    size,
    ports: [6379],
    command: ['redis-server'],
    tools: 'redis',
    program: {listen: [6379], cpu: '2m', memory: '9Mi'},
    modelFor: start => redisModel(start, version),
    ...more,
  };
}

const MYSQL_OPTIONS = ['MYSQL_ROOT_PASSWORD', 'MYSQL_ALLOW_EMPTY_PASSWORD', 'MYSQL_RANDOM_ROOT_PASSWORD'];
const MARIADB_OPTIONS = [
  'MARIADB_ROOT_PASSWORD',
  'MARIADB_ROOT_PASSWORD_HASH',
  'MARIADB_ALLOW_EMPTY_ROOT_PASSWORD',
  'MARIADB_RANDOM_ROOT_PASSWORD',
];

function mysqlNeeds(options: readonly string[], also: readonly string[] = []): NonNullable<ProgramModel['needs']> {
  const list = options.map(option => `    - ${option}`).join('\n');
  return {
    env: [[...options, ...also].join('|')],
    message: `[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified\n    You need to specify one of the following as an environment variable:\n${list}`,
  };
}

const POSTGRES_NEEDS = {
  env: ['POSTGRES_PASSWORD|POSTGRES_HOST_AUTH_METHOD'],
  message: `Error: Database is uninitialized and superuser password is not specified.
       You must specify POSTGRES_PASSWORD to a non-empty value for the
       superuser. For example, "-e POSTGRES_PASSWORD=password" on "docker run".

       You may also use "POSTGRES_HOST_AUTH_METHOD=trust" to allow all
       connections without a password. This is *not* recommended.

       See PostgreSQL documentation about "trust":
       https://www.postgresql.org/docs/current/auth-trust.html`,
};

const script = {entrypoint: ['docker-entrypoint.sh']};
const REDIS = releases('3.2.12 4.0.14 5.0.14 6.0.20 6.2.20 7.0.15 7.2.11 7.4.6 8.0.4 8.2.2', {variants: OFFICIAL});
const MYSQL = releases('5.5.62 5.6.51 5.7.44 8.0.44 8.4.7 9.0.1 9.1.0 9.2.0 9.3.0 9.4.0 9.5.0', {
  names: {lts: '8.4.7', innovation: '9.5.0'},
  variants: /^(oraclelinux[789]|oracle|debian)$/,
});

export const DATABASES: readonly Family[] = [
  {name: 'redis', tags: REDIS, entry: release => redis(release.version, sized(release, '45Mi', '17Mi'), script)},
  {
    name: 'registry.k8s.io/redis',
    tags: {names: {e2e: '2.8.23', latest: '2.8.23', v1: '2.8.23'}},
    entry: redis('2.8.23', '160Mi'),
  },
  {
    name: 'valkey/valkey',
    tags: releases('7.2.11 8.0.6 8.1.4 9.0.0', {variants: OFFICIAL}),
    entry: release => redis(release.version, '45Mi', {...script, command: ['valkey-server']}),
  },
  {
    name: 'memcached',
    tags: releases('1.4.39 1.5.22 1.6.39', {variants: OFFICIAL}),
    entry: server('32Mi', 'memcached', 11211, {memory: '2Mi'}, {...script, user: '11211'}),
  },
  {
    name: 'postgres',
    tags: releases('9.6.24 10.23 11.22 12.22 13.23 14.20 15.15 16.11 17.7 18.1', {variants: OFFICIAL}),
    entry: release =>
      server(
        sized(release, '152Mi', '105Mi'),
        'postgres',
        5432,
        {
          startSeconds: 2,
          cpu: '5m',
          memory: '38Mi',
          log: [{after: 2, line: 'LOG:  database system is ready to accept connections', stream: 'stderr'}],
          needs: POSTGRES_NEEDS,
        },
        {...script, stopSignal: 'SIGINT'},
      ),
  },
  {
    name: 'mysql',
    tags: MYSQL,
    entry: ({version}) =>
      server(
        '170Mi',
        'mysqld',
        3306,
        {
          startSeconds: 8,
          cpu: '8m',
          memory: version.startsWith('5') ? '200Mi' : '380Mi',
          log: [
            {
              after: 8,
              line: `[System] [MY-010931] [Server] /usr/sbin/mysqld: ready for connections. Version: '${version}'  socket: '/var/run/mysqld/mysqld.sock'  port: 3306  MySQL Community Server - GPL.`,
              stream: 'stderr',
            },
          ],
          needs: mysqlNeeds(MYSQL_OPTIONS),
        },
        script,
      ),
  },
  {
    name: 'mariadb',
    tags: releases('10.3.39 10.4.34 10.5.29 10.6.24 10.11.15 11.4.9 11.8.5 12.0.2', {
      names: {lts: '11.8.5'},
      variants: /^(jammy|noble|focal|ubi9?)$/,
    }),
    entry: ({version}) =>
      server(
        '100Mi',
        'mariadbd',
        3306,
        {
          startSeconds: 5,
          cpu: '4m',
          memory: '95Mi',
          log: [
            {
              after: 5,
              line: `0 [Note] mariadbd: ready for connections.\nVersion: '${version}-MariaDB'  socket: '/run/mysqld/mysqld.sock'  port: 3306  mariadb.org binary distribution`,
              stream: 'stderr',
            },
          ],
          needs: mysqlNeeds(MARIADB_OPTIONS, MYSQL_OPTIONS),
        },
        script,
      ),
  },
  {
    name: 'mongo',
    tags: releases('3.6.23 4.0.28 4.2.24 4.4.29 5.0.31 6.0.26 7.0.25 8.0.15 8.2.1', {
      variants: /^(focal|jammy|noble|bionic|xenial)$/,
    }),
    entry: server('270Mi', 'mongod', 27017, {startSeconds: 2, cpu: '6m', memory: '90Mi'}, script),
  },
  {
    name: 'rabbitmq',
    tags: releases('3.8.34 3.9.29 3.10.25 3.11.28 3.12.14 3.13.7 4.0.9 4.1.5 4.2.0', {
      variants: /^(management|alpine|management-alpine)$/,
    }),
    entry: ({variant}) =>
      server(
        '110Mi',
        'rabbitmq-server',
        5672,
        {startSeconds: 6, listen: variant.startsWith('management') ? [5672, 15672] : [5672], cpu: '15m', memory: '130Mi'},
        script,
      ),
  },
  {
    name: 'zookeeper',
    tags: releases('3.4.14 3.5.10 3.6.4 3.7.2 3.8.5 3.9.4', {variants: ALPINE}),
    entry: server('115Mi', 'zkServer.sh', 2181, {startSeconds: 3, cpu: '4m', memory: '110Mi'}),
  },
  {
    name: 'elasticsearch',
    tags: releases('7.17.29 8.15.5 8.17.10 8.18.8 8.19.6 9.0.8 9.1.6 9.2.0', {strict: true}),
    entry: server('650Mi', 'elasticsearch', 9200, {startSeconds: 25, cpu: '60m', memory: '1200Mi', termCode: 143}),
  },
  {name: 'consul', tags: releases('1.12.9 1.13.9 1.14.11 1.15.4', {strict: true}), entry: consul()},
  {name: 'hashicorp/consul', tags: releases('1.16.6 1.17.3 1.18.2 1.19.2 1.20.6 1.21.5 1.22.0'), entry: consul()},
  {
    name: 'hashicorp/vault',
    tags: releases('1.15.6 1.16.3 1.17.6 1.18.5 1.19.5 1.20.4 1.21.0'),
    entry: server('170Mi', 'vault', 8200, {cpu: '8m', memory: '120Mi'}, {...script, tools: 'busybox'}),
  },
  {
    name: 'nats',
    tags: releases('2.8.4 2.9.25 2.10.29 2.11.10 2.12.1', {variants: /^(alpine(3\.\d{1,2})?|scratch|linux)$/}),
    entry: server(
      '7Mi',
      'nats-server',
      4222,
      {listen: [4222, 8222], cpu: '2m', memory: '14Mi', http: {'/healthz': {body: '{"status":"ok"}'}}},
      {tools: 'none'},
    ),
  },
  {
    name: 'cassandra',
    tags: releases('3.11.19 4.0.18 4.1.10 5.0.6'),
    entry: server('180Mi', 'cassandra', 9042, {startSeconds: 30, cpu: '60m', memory: '1100Mi'}, script),
  },
  {
    name: 'influxdb',
    tags: releases('1.8.10 1.11.8 2.6.1 2.7.12', {variants: ALPINE}),
    entry: server('150Mi', 'influxd', 8086, {startSeconds: 2, cpu: '8m', memory: '70Mi', http: {'/ping': 204, '/health': 200}}),
  },
  {
    name: 'bitnami/redis',
    tags: {names: {latest: '8.2.2'}},
    entry: server(
      '45Mi',
      'redis-server',
      6379,
      {
        memory: '9Mi',
        needs: {
          env: ['REDIS_PASSWORD|ALLOW_EMPTY_PASSWORD'],
          message:
            'redis ERROR ==> The REDIS_PASSWORD environment variable is empty or not set. Set the environment variable ALLOW_EMPTY_PASSWORD=yes to allow the container to be started with blank passwords. This is recommended only for development.',
        },
      },
      {user: '1001'},
    ),
  },
];

function consul(): Entry {
  return server(
    '45Mi',
    'consul',
    8500,
    {
      listen: [8300, 8301, 8500, 8600],
      cpu: '10m',
      memory: '60Mi',
      http: {'/v1/status/leader': {body: '"127.0.0.1:8300"', type: 'application/json'}},
    },
    {...script, tools: 'busybox'},
  );
}
