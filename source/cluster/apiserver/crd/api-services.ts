// Each version of a defined group has an APIService, as the built-in ones have: `kubectl get apiservices` lists them. They are made and
// taken away as definitions come and go.
import type {APIService} from '../../../api/kinds/apiregistration-v1.ts';
import {isFields} from '../../../api/meta/fields.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Task} from '../../../sim/task.ts';
import type {Core} from '../core.ts';
import {createObject} from '../registry/create.ts';
import {ownWrite} from '../registry/own-write.ts';
import {removeObject} from '../registry/remove.ts';
import type {Served} from '../registry/served.ts';
import {updateObject} from '../registry/update-internal.ts';

const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';
const GROUP_PRIORITY = 1000;
const VERSION_PRIORITY = 100;

/** Keeps the APIServices of defined groups. */
export class DefinedVersions {
  readonly #core: Core;
  readonly #served: Served;
  #due = false;

  constructor(core: Core) {
    this.#core = core;
    this.#served = core.resources.of('apiservices', 'apiregistration.k8s.io');
  }

  /** Begins to follow definitions, once the caches are filled. */
  follow(): void {
    this.#core.resources.of('customresourcedefinitions', 'apiextensions.k8s.io').cache.on(() => this.#soon());
  }

  #soon(): void {
    if (this.#due) return;
    this.#due = true;
    const {scope} = this.#core.daemon;
    scope.soon(() =>
      scope.run(this.#keep(), () => {
        this.#due = false;
      }),
    );
  }

  *#keep(): Task {
    const core = this.#core;
    const wanted = new Map(core.definitions.versions.map(({group, version}) => [`${version}.${group}`, {group, version}]));
    const builtin = new Set(core.builtin.map(({group, version}) => `${version}.${group}`));
    for (const [name, place] of wanted) {
      if (this.#served.cache.get(name)) continue;
      const write = ownWrite(core, this.#served);
      yield* createObject(write, serviceOf(name, place));
      const status = localStatus(core.daemon.now());
      yield* updateObject(write, {
        name,
        namespace: '',
        change: old => (old.status === undefined || isEmpty(old.status) ? {...old, status} : old),
      });
    }
    for (const {metadata} of this.#served.cache.objects() as unknown as readonly APIService[]) {
      const {name, labels} = metadata;
      if (labels?.[MANAGED] !== 'true' || builtin.has(name) || wanted.has(name)) continue;
      yield* removeObject(ownWrite(core, this.#served), {namespace: '', name}, {});
    }
  }
}

function serviceOf(name: string, {group, version}: {group: string; version: string}): AnyObject {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: {name, labels: {[MANAGED]: 'true'}} as unknown as AnyObject['metadata'],
    spec: {group, version, groupPriorityMinimum: GROUP_PRIORITY, versionPriority: VERSION_PRIORITY},
  };
}

function localStatus(lastTransitionTime: string): object {
  const message = 'Local APIServices are always available';
  return {conditions: [{type: 'Available', status: 'True', lastTransitionTime, reason: 'Local', message}]};
}

function isEmpty(status: unknown): boolean {
  return isFields(status) && Object.keys(status).length === 0;
}
