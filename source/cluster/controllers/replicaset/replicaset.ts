// The ReplicaSet controller: so many pods of one template, no more and no less.
import type {ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Controller} from '../context.ts';
import {ReplicaLoop} from './loop.ts';

const REPLICASET_KIND = Object.freeze({apiVersion: 'apps/v1', kind: 'ReplicaSet'});

/** Keeps ReplicaSets. */
export const replicasetController: Controller = {
  name: 'replicaset-controller',
  account: 'replicaset-controller',
  start: context => {
    new ReplicaLoop<ReplicaSet>(context, {
      resource: builtin('apps', 'replicasets'),
      kind: REPLICASET_KIND,
      selectorOf: set => set.spec.selector,
      countsTerminating: true,
    }).start();
  },
};
