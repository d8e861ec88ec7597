// Monitoring and logging: stand-ins that listen, answer their health checks and use memory. They collect nothing.
import type {ProgramModel} from '../program-model.ts';
import {only, releases, type Entry, type Family} from './family.ts';

function standIn(size: string, command: string, program: ProgramModel, more: Partial<Entry> = {}): Entry {
  return {size, command: [command], tools: 'busybox', ...(program.listen ? {ports: program.listen} : {}), program, ...more};
}

const v = {prefix: 'v'};
const ready = {'/-/ready': 200, '/-/healthy': 200, '/metrics': 200, '/': 200} as const;
const prometheus = standIn(
  '110Mi',
  '/bin/prometheus',
  {
    listen: [9090],
    cpu: '8m',
    memory: '60Mi',
    http: {
      ...ready,
      '/-/ready': {body: 'Prometheus Server is Ready.\n'},
      '/-/healthy': {body: 'Prometheus Server is Healthy.\n'},
    },
  },
  {user: '65534'},
);
const nodeExporter = standIn(
  '12Mi',
  '/bin/node_exporter',
  {listen: [9100], cpu: '2m', memory: '12Mi', http: {'/metrics': 200, '/': 200}},
  {user: '65534'},
);
const PROMETHEUS = releases(
  '2.37.9 2.45.6 2.48.1 2.50.1 2.53.5 2.54.1 2.55.1 3.0.1 3.1.0 3.2.1 3.3.1 3.4.2 3.5.0 3.6.0 3.7.3',
  v,
);

export const OBSERVABILITY: readonly Family[] = [
  {name: 'prom/prometheus', tags: PROMETHEUS, entry: prometheus},
  {name: 'quay.io/prometheus/prometheus', tags: PROMETHEUS, entry: prometheus},
  {
    name: 'prom/alertmanager',
    tags: releases('0.25.1 0.26.0 0.27.0 0.28.1 0.29.0', v),
    entry: standIn('35Mi', '/bin/alertmanager', {listen: [9093], memory: '20Mi', http: ready}, {user: '65534'}),
  },
  {name: 'prom/node-exporter', tags: releases('1.5.0 1.6.1 1.7.0 1.8.2 1.9.1 1.10.2', v), entry: nodeExporter},
  {name: 'quay.io/prometheus/node-exporter', tags: releases('1.5.0 1.6.1 1.7.0 1.8.2 1.9.1 1.10.2', v), entry: nodeExporter},
  {
    name: 'grafana/grafana',
    tags: releases(
      '8.5.27 9.5.21 10.0.13 10.1.10 10.2.9 10.3.12 10.4.19 11.0.11 11.1.13 11.2.10 11.3.9 11.4.8 11.5.9 11.6.7 12.0.6 12.1.3 12.2.1',
      {variants: /^ubuntu$/},
    ),
    entry: standIn(
      '150Mi',
      '/run.sh',
      {
        startSeconds: 4,
        listen: [3000],
        cpu: '5m',
        memory: '90Mi',
        http: {
          '/api/health': {body: '{\n  "database": "ok"\n}', type: 'application/json'},
          '/': {status: 302, headers: {location: '/login'}},
          '/login': 200,
        },
      },
      {user: '472'},
    ),
  },
  {
    name: 'grafana/loki',
    tags: releases('2.8.11 2.9.15 3.0.1 3.1.2 3.2.2 3.3.4 3.4.6 3.5.7'),
    entry: standIn(
      '30Mi',
      '/usr/bin/loki',
      {listen: [3100], memory: '60Mi', http: {'/ready': {body: 'ready\n'}}},
      {user: '10001'},
    ),
  },
  {
    name: 'grafana/promtail',
    tags: releases('2.8.11 2.9.15 3.0.1 3.1.2 3.2.2 3.3.4 3.4.6 3.5.7'),
    entry: standIn('75Mi', '/usr/bin/promtail', {listen: [9080], memory: '40Mi'}, {tools: 'debian'}),
  },
  {
    name: 'fluentd',
    tags: {...releases('1.14.6 1.15.3 1.16.9 1.17.1 1.18.0', v), variants: /^(debian|1)(-\d)?$/},
    entry: standIn('60Mi', 'fluentd', {cpu: '4m', memory: '60Mi'}),
  },
  {
    name: 'fluent/fluentd',
    tags: {...releases('1.14.6 1.15.3 1.16.9 1.17.1 1.18.0', v), variants: /^(debian|\d(\.\d)?|debian-\d(\.\d)?)$/},
    entry: standIn('60Mi', 'fluentd', {cpu: '4m', memory: '60Mi'}),
  },
  {
    name: 'fluent/fluentd-kubernetes-daemonset',
    tags: only('latest v1 v1-debian-elasticsearch v1-debian-forward v1.16-debian-elasticsearch7-1'),
    entry: standIn('110Mi', 'fluentd', {cpu: '4m', memory: '90Mi'}, {tools: 'debian'}),
  },
  {
    name: 'quay.io/fluentd_elasticsearch/fluentd',
    tags: only('v2.5.2 v3.0.1 v3.4.0 v4.3.2 v5.0.1 latest'),
    entry: standIn('95Mi', 'fluentd', {cpu: '4m', memory: '90Mi'}, {tools: 'debian'}),
  },
  {
    name: 'gcr.io/fluentd-elasticsearch/fluentd',
    tags: only('v2.5.1'),
    entry: standIn('95Mi', 'fluentd', {cpu: '4m', memory: '90Mi'}, {tools: 'debian'}),
  },
  {
    name: 'registry.k8s.io/fluentd-gcp',
    tags: only('1.30 1.32'),
    entry: standIn('180Mi', '/run.sh', {cpu: '4m', memory: '90Mi'}, {tools: 'debian'}),
  },
  {
    name: 'registry.k8s.io/fluentd-elasticsearch',
    tags: only('1.20 v2.0.4'),
    entry: standIn('150Mi', 'fluentd', {cpu: '4m', memory: '90Mi'}, {tools: 'debian'}),
  },
  {
    name: 'fluent/fluent-bit',
    tags: releases('1.8.15 1.9.10 2.0.14 2.1.10 2.2.3 3.0.7 3.1.10 3.2.10 4.0.12 4.1.1', {variants: /^debug$/}),
    entry: standIn(
      '30Mi',
      '/fluent-bit/bin/fluent-bit',
      {listen: [2020], cpu: '2m', memory: '9Mi', http: {'/': 200, '/api/v1/health': 200}},
      {tools: 'none'},
    ),
  },
  {
    name: 'jaegertracing/all-in-one',
    tags: releases('1.35.2 1.47.0 1.54.0 1.60.0 1.65.0 1.74.0'),
    entry: standIn(
      '32Mi',
      '/go/bin/all-in-one-linux',
      {listen: [4317, 14269, 16686], memory: '20Mi', http: {'/': 200}},
      {tools: 'none'},
    ),
  },
  {
    name: 'docker.elastic.co/elasticsearch/elasticsearch',
    tags: releases('7.17.29 8.15.5 8.19.6 9.2.0', {strict: true}),
    entry: standIn(
      '650Mi',
      'elasticsearch',
      {startSeconds: 25, listen: [9200, 9300], cpu: '60m', memory: '1200Mi', termCode: 143},
      {tools: 'debian'},
    ),
  },
  {
    name: 'docker.elastic.co/beats/filebeat',
    tags: releases('7.17.29 8.15.5 8.19.6 9.2.0', {strict: true}),
    entry: standIn('120Mi', 'filebeat', {memory: '40Mi'}, {tools: 'debian'}),
  },
];
