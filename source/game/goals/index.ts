// All kinds of checks, and how one is read. `all`, `any`, `not` and `never` are made of others. Adding a kind: a file, and a line here.
import {isMap, type Node} from 'yaml';
import {entriesOf, list, shapeOf, type Place, type Reader} from '../level/reader.ts';
import type {Check, CheckKind, Referee, Verdict} from './check.ts';
import {component} from './component.ts';
import {etcd, fileGone, process, processFlag} from './etcd.ts';
import {absent, exists} from './exists.ts';
import {field} from './field.ts';
import {http} from './http.ts';
import {neverDown} from './never-down.ts';
import {nodesReady} from './nodes-ready.ts';
import {podOn} from './pod-on.ts';
import {ready} from './ready.ts';
import {same, sameUID} from './same.ts';
import {svcEndpoints} from './service-endpoints.ts';
import {webhookHears} from './webhook-hears.ts';
import {writeLatency} from './write-latency.ts';

const KINDS: ReadonlyMap<string, CheckKind<never>> = new Map(
  [
    ready,
    nodesReady,
    field,
    http,
    writeLatency,
    podOn,
    svcEndpoints,
    webhookHears,
    same,
    sameUID,
    exists,
    absent,
    etcd,
    process,
    processFlag,
    fileGone,
    component,
    neverDown,
  ].map(kind => [kind.name, kind as unknown as CheckKind<never>]),
);

const LOGIC = ['all', 'any', 'not', 'never'] as const;

/** Reads one check. */
export function check(): Reader<Check> {
  return (node, place) => {
    const entries = entriesOf(node, place);
    if (!entries) return undefined;
    const [first, ...more] = entries;
    if (!first || more.length > 0) {
      place.report(node, 'one check is wanted here: a map with the name of a check as its only key');
      return undefined;
    }
    const [name, value, keyNode] = first;
    const inner = place.at(name, value ?? keyNode);
    if (name === 'all' || name === 'any') return joined(name, value, inner);
    if (name === 'not' || name === 'never') return negated(name, value, inner);
    const kind = KINDS.get(name);
    if (kind) return plain(kind, value, inner);
    place.report(keyNode, `there is no check ${JSON.stringify(name)}; known are ${[...KINDS.keys(), ...LOGIC].join(', ')}`);
    return undefined;
  };
}

function plain(kind: CheckKind<never>, value: Node | null, place: Place): Check | undefined {
  const args = kind.arguments(value, place);
  if (args === undefined) return undefined;
  return {name: kind.name, judge: referee => kind.judge(args, referee), probes: kind.probes?.(args) ?? [], forever: false};
}

function joined(name: 'all' | 'any', value: Node | null, place: Place): Check | undefined {
  const checks = list(check())(value, place);
  if (!checks || checks.length === 0) {
    if (checks) place.report(value, 'at least one check is wanted here');
    return undefined;
  }
  const judge = (referee: Referee): Verdict => {
    const verdicts = checks.map(each => each.judge(referee));
    const met = name === 'all' ? verdicts.every(verdict => verdict.met) : verdicts.some(verdict => verdict.met);
    const telling = verdicts.find(verdict => verdict.met === (name === 'any')) ?? verdicts[0];
    return {met, note: telling?.note ?? ''};
  };
  return {name, judge, probes: checks.flatMap(each => each.probes), forever: checks.some(each => each.forever)};
}

function negated(name: 'not' | 'never', value: Node | null, place: Place): Check | undefined {
  if (value !== null && !isMap(value)) place.report(value, `a check is wanted here, not ${shapeOf(value)}`);
  const inner = isMap(value) ? check()(value, place) : undefined;
  if (!inner) return undefined;
  const judge = (referee: Referee): Verdict => {
    const verdict = inner.judge(referee);
    return {met: !verdict.met, note: verdict.note};
  };
  return {name, judge, probes: inner.probes, forever: name === 'never' || inner.forever};
}
