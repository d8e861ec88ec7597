// /metrics: the main families of a real server, in Prometheus' text. Times are those of the server's clock.
import type {Core} from '../core.ts';
import {BUCKETS, scopeOf, type Count} from '../http/counts.ts';

interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly lines: readonly string[];
}

type Labels = Readonly<Record<string, string | number>>;

function line(name: string, labels: Labels, value: number): string {
  const text = Object.entries(labels)
    .map(([label, each]) => `${label}=${JSON.stringify(String(each))}`)
    .join(',');
  return `${name}${text === '' ? '' : `{${text}}`} ${value}`;
}

/** The text. */
export function metricsText(core: Core): string {
  return `${[buildInfo(), inFlight(core), longRunning(core), requests(core), durations(core), objects(core), startTime(core)]
    .filter(({lines}) => lines.length > 0)
    .flatMap(({name, type, help, lines}) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines])
    .join('\n')}\n`;
}

const VERBS: Readonly<Record<string, string>> = {create: 'POST', update: 'PUT'};

function verbOf({info}: Count): string {
  return VERBS[info.verb] ?? info.verb.toUpperCase();
}

function inFlight({counts}: Core): Family {
  const name = 'apiserver_current_inflight_requests';
  return {
    name,
    type: 'gauge',
    help: '[STABLE] Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
    lines: Object.entries(counts.inFlight).map(([kind, count]) => line(name, {request_kind: kind}, count)),
  };
}

function longRunning({resources}: Core): Family {
  const name = 'apiserver_longrunning_requests';
  const lines = resources.all
    .filter(({stored, conversion, cache}) => stored && !conversion && cache.watchers.count > 0)
    .map(({facts, cache}) => {
      const {group, resource, version} = facts;
      return line(name, {component: 'apiserver', group, resource, subresource: '', verb: 'WATCH', version}, cache.watchers.count);
    });
  return {
    name,
    type: 'gauge',
    help: '[STABLE] Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
    lines,
  };
}

function placeOf({info}: Count): Labels {
  const {group, resource, subresource} = info;
  return {group, resource, scope: scopeOf(info), subresource};
}

function dryRunOf({info}: Count): string {
  return info.query['dryRun'] ?? '';
}

function requests({counts}: Core): Family {
  const name = 'apiserver_request_total';
  const lines = counts.all.map(count => {
    const labels = {
      code: count.code,
      component: 'apiserver',
      dry_run: dryRunOf(count),
      ...placeOf(count),
      verb: verbOf(count),
      version: count.info.version,
    };
    return line(name, labels, count.requests);
  });
  return {
    name,
    type: 'counter',
    help: '[STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
    lines,
  };
}

function durations({counts}: Core): Family {
  const name = 'apiserver_request_duration_seconds';
  const lines = counts.all.flatMap(count => {
    const labels = {
      component: 'apiserver',
      dry_run: dryRunOf(count),
      ...placeOf(count),
      verb: verbOf(count),
      version: count.info.version,
    };
    let below = 0;
    return [
      ...BUCKETS.map((bound, at) => line(`${name}_bucket`, {...labels, le: bound}, (below += count.buckets[at] ?? 0))),
      line(`${name}_bucket`, {...labels, le: '+Inf'}, count.requests),
      line(`${name}_sum`, labels, count.seconds),
      line(`${name}_count`, labels, count.requests),
    ];
  });
  return {
    name,
    type: 'histogram',
    help: '[STABLE] Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
    lines,
  };
}

function objects({resources}: Core): Family {
  const name = 'apiserver_storage_objects';
  return {
    name,
    type: 'gauge',
    help: '[STABLE] Number of stored objects at the time of last check split by kind.',
    lines: resources.all
      .filter(each => each.stored && !each.conversion)
      .map(({facts, cache}) => {
        const resource = facts.group === '' ? facts.resource : `${facts.resource}.${facts.group}`;
        return line(name, {resource}, cache.size);
      }),
  };
}

function buildInfo(): Family {
  const name = 'kubernetes_build_info';
  const facts = {
    build_date: '2026-04-15T00:00:00Z',
    compiler: 'gc',
    git_commit: 'unknown',
    git_tree_state: 'clean',
    git_version: 'v1.35.4',
    go_version: 'go1.26.8',
    major: '1',
    minor: '35',
    platform: 'linux/amd64',
  };
  return {
    name,
    type: 'gauge',
    help: "[ALPHA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
    lines: [line(name, facts, 1)],
  };
}

function startTime({startedAt}: Core): Family {
  const name = 'process_start_time_seconds';
  return {
    name,
    type: 'gauge',
    help: '[STABLE] Start time of the process since unix epoch in seconds.',
    lines: [line(name, {}, startedAt / 1000)],
  };
}
