// Whatever comes and goes, the numbers are those that a count of all pods would give.
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {selectorMatcher} from '../../../api/meta/selector.ts';
import {ClusterState} from './cluster-state.ts';
import type {PodInfo} from './pod-info.ts';
import {aNode, aPod} from '../testing/builders.ts';

const APPS = ['web', 'db'];
const NODES = ['node-1', 'node-2', 'node-3'];
const ZONES = ['a', 'b'];
const steps = fc.array(
  fc.record({
    what: fc.constantFrom('place', 'place', 'place', 'unplace', 'move zone', 'remove node', 'add node', 'ask'),
    app: fc.constantFrom(...APPS),
    node: fc.constantFrom(...NODES),
    zone: fc.constantFrom(...ZONES),
    pod: fc.integer({min: 0, max: 11}),
    dying: fc.boolean(),
  }),
  {maxLength: 60},
);

test('tallies, sums by zone, terms and requests', () => {
  fc.assert(
    fc.property(steps, plan => {
      const cluster = new ClusterState();
      cluster.setNamespace('default', {});
      const placed = new Map<number, {readonly info: PodInfo; readonly node: string}>();
      const zones = new Map<string, string>();
      const addNode = (name: string, zone: string) => {
        cluster.setNode(aNode(name).inZone(zone).node);
        zones.set(name, zone);
      };
      for (const name of NODES) addNode(name, 'a');
      const ask = (app: string) =>
        cluster.population.tally({
          key: app,
          namespaces: new Set(['default']),
          live: true,
          matches: selectorMatcher({matchLabels: {app}}),
        });
      for (const {what, app, node, zone, pod, dying} of plan) {
        if (what === 'ask') ask(app);
        else if (what === 'remove node') cluster.removeNode(node);
        else if (what === 'add node' || what === 'move zone') addNode(node, zone);
        else {
          const old = placed.get(pod);
          if (old) {
            cluster.unplace(old.info.uid);
            cluster.release(old.info);
            placed.delete(pod);
          }
          if (what === 'unplace') continue;
          const term = [{topologyKey: 'topology.kubernetes.io/zone', labelSelector: {matchLabels: {app}}}];
          const builder = aPod(`pod-${pod}`)
            .labelled({app})
            .asking({cpu: '100m'})
            .drawnTo({podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: term}});
          const info = cluster.describe((dying ? builder.beingDeleted() : builder).pod);
          cluster.place(info, node, false);
          placed.set(pod, {info, node});
        }
      }
      for (const app of APPS) {
        const living = [...placed.values()].filter(({info}) => !info.labels.terminating && info.labels.labels?.['app'] === app);
        const all = [...placed.values()].filter(({info}) => info.labels.labels?.['app'] === app);
        const inZone = (list: typeof all, zone: string) =>
          list.filter(each => cluster.node(each.node) && zones.get(each.node) === zone).length;
        const sums = ask(app).domains('topology.kubernetes.io/zone');
        for (const zone of ZONES) expect(sums.get(zone) ?? 0).toBe(inZone(living, zone));
        const set = cluster.population.labelSet('default', {app}, false);
        const terms = cluster.population.termsAbout(set).filter(each => each.kind === 'antiAffinity');
        cluster.population.release(set);
        for (const zone of ZONES) {
          const sum = terms.reduce((total, each) => total + (each.domains('topology.kubernetes.io/zone').get(zone) ?? 0), 0);
          expect(sum).toBe(inZone(all, zone));
        }
      }
      for (const name of NODES) {
        const count = [...placed.values()].filter(each => each.node === name).length;
        if (cluster.node(name)) expect(cluster.node(name)?.requested.cpu).toBe(count * 100);
      }
    }),
    {numRuns: 300},
  );
});
