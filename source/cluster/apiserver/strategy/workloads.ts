// Deployments, DaemonSets, StatefulSets and Jobs have small ways of their own.
import type {DaemonSet, Deployment, StatefulSet} from '../../../api/kinds/apps-v1.ts';
import type {Job} from '../../../api/kinds/batch-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {sameValue} from '../registry/equal.ts';
import type {Strategy} from './strategy.ts';

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** A new annotation counts as a new generation; a status writer cannot touch the labels. */
export const deployments: Strategy = {
  generation: true,
  update(object, old) {
    if (sameValue((object as unknown as Deployment).metadata.annotations, old.metadata.annotations)) return object;
    return {...object, metadata: {...object.metadata, generation: (old.metadata.generation ?? 0) + 1}};
  },
  updateStatus(object, old) {
    const {labels: _labels, ...metadata} = object.metadata;
    const {status: _status, ...rest} = old;
    const kept = old.metadata.labels ? {...metadata, labels: old.metadata.labels} : metadata;
    return {...rest, metadata: kept, ...(object.status === undefined ? {} : {status: object.status})};
  },
};

/** A DaemonSet counts the changes of its template in an annotation. */
export const daemonSets: Strategy = {
  generation: true,
  create: object => withTemplateGeneration(object, 1),
  update(object, old) {
    const before = Number(old.metadata.annotations?.[TEMPLATE_GENERATION] ?? 1);
    const same = sameValue((object as unknown as DaemonSet).spec?.template, (old as unknown as DaemonSet).spec?.template);
    return withTemplateGeneration(object, same ? before : before + 1);
  },
};

function withTemplateGeneration(object: AnyObject, generation: number): AnyObject {
  const annotations = {...object.metadata.annotations, [TEMPLATE_GENERATION]: String(generation)};
  return {...object, metadata: {...object.metadata, annotations}};
}

/** How many pods a StatefulSet may be without is behind a gate that is off: the field is dropped without a word. */
export const statefulSets: Strategy = {
  generation: true,
  create: withoutMaxUnavailable,
  update: (object, old) => (rollingOf(old)?.maxUnavailable === undefined ? withoutMaxUnavailable(object) : object),
};

function rollingOf(object: AnyObject) {
  return (object as unknown as StatefulSet).spec?.updateStrategy?.rollingUpdate;
}

function withoutMaxUnavailable(object: AnyObject): AnyObject {
  const rolling = rollingOf(object);
  if (rolling?.maxUnavailable === undefined) return object;
  const {spec} = object as unknown as StatefulSet;
  const {maxUnavailable: _dropped, ...rollingUpdate} = rolling;
  return {...object, spec: {...spec, updateStrategy: {...spec.updateStrategy, rollingUpdate}}} as AnyObject;
}

/** A Job gets a selector for its own pods, made of its uid. */
export const jobs: Strategy = {
  generation: true,
  fields: {'status.successful': object => String((object as unknown as Job).status?.succeeded ?? 0)},
  create(object) {
    const {spec, metadata} = object as unknown as Job;
    if (!spec || spec.manualSelector) return object;
    const own = {
      'batch.kubernetes.io/controller-uid': metadata.uid,
      'batch.kubernetes.io/job-name': metadata.name,
      'controller-uid': metadata.uid,
      'job-name': metadata.name,
    };
    const template = {
      ...spec.template,
      metadata: {...spec.template.metadata, labels: {...spec.template.metadata?.labels, ...own}},
    };
    const selector = {
      ...spec.selector,
      matchLabels: {...spec.selector?.matchLabels, 'batch.kubernetes.io/controller-uid': metadata.uid},
    };
    // A Job without labels shares those of its template: what is added to the ones is added to the others.
    const shared = metadata.labels === spec.template.metadata?.labels;
    const withLabels = shared ? {...object, metadata: {...metadata, labels: template.metadata.labels}} : object;
    return {...withLabels, spec: {...spec, selector, template}};
  },
};
