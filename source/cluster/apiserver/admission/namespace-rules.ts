// Two plugins by which a namespace rules where its pods may go, in annotations. PodNodeSelector: the pods get the namespace's node
// selector, and may not contradict it. PodTolerationRestriction: they get its tolerations, and may have no others than it lists.
//
// Not modelled: the files that give such rules for the whole cluster.
import type {Toleration} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {qosClass} from '../../../api/meta/pod-resources.ts';
import type {Attributes} from '../registry/write.ts';
import type {Plugin} from './plugin.ts';
import {forbid, specOf, withSpec} from './pod-object.ts';

const SELECTOR = 'scheduler.alpha.kubernetes.io/node-selector';
const DEFAULTS = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const WHITELIST = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
const MEMORY_PRESSURE: Toleration = {key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule'};

export const podNodeSelector: Plugin = {
  name: 'PodNodeSelector',
  optional: true,
  resources: ['pods'],
  operations: ['CREATE'],
  mutate(object, attributes) {
    const wanted = selectorOf(attributes);
    const spec = specOf(object);
    const own = spec.nodeSelector ?? {};
    if (Object.keys(wanted).length === 0) return object;
    if (isContradicted(wanted, own)) return contradiction(attributes, object);
    return withSpec(object, {...spec, nodeSelector: {...own, ...wanted}});
  },
  validate(attributes) {
    const {object} = attributes;
    const contradicts = object && isContradicted(selectorOf(attributes), specOf(object).nodeSelector ?? {});
    return contradicts ? contradiction(attributes, object) : undefined;
  },
};

function contradiction(attributes: Attributes, object: AnyObject) {
  return forbid(attributes, object, 'pod node label selector conflicts with its namespace node label selector');
}

type Labels = Readonly<Record<string, string>>;

function isContradicted(wanted: Labels, own: Labels): boolean {
  return Object.entries(wanted).some(([key, value]) => own[key] !== undefined && own[key] !== value);
}

/** `env=test, tier=web` as labels. */
function selectorOf(attributes: Attributes): Labels {
  const text = annotationsOf(attributes)[SELECTOR] ?? '';
  const parts = text.split(',').flatMap(part => {
    const [key = '', value = ''] = part.split('=').map(word => word.trim());
    return key === '' ? [] : [[key, value] as const];
  });
  return Object.fromEntries(parts);
}

export const podTolerationRestriction: Plugin = {
  name: 'PodTolerationRestriction',
  optional: true,
  resources: ['pods'],
  operations: ['CREATE', 'UPDATE'],
  mutate(object, attributes) {
    if (attributes.operation !== 'CREATE') return object;
    const spec = specOf(object);
    const own = spec.tolerations ?? [];
    const pressed = qosClass(spec) === 'BestEffort' ? [] : [MEMORY_PRESSURE];
    const added = [...tolerationsIn(attributes, DEFAULTS), ...pressed].filter(each => !own.some(mine => covers(mine, each)));
    return added.length === 0 ? object : withSpec(object, {...spec, tolerations: [...own, ...added]});
  },
  validate(attributes) {
    const {object} = attributes;
    const allowed = tolerationsIn(attributes, WHITELIST);
    if (!object || allowed.length === 0) return undefined;
    const strange = (specOf(object).tolerations ?? []).some(each => !allowed.some(one => covers(one, each)));
    const why = 'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist';
    return strange ? forbid(attributes, object, why) : undefined;
  },
};

/** Does the one tolerate all that the other does? */
function covers(wide: Toleration, narrow: Toleration): boolean {
  const {key = '', operator = 'Equal', value = '', effect = ''} = wide;
  if (key !== '' && key !== (narrow.key ?? '')) return false;
  if (effect !== '' && effect !== (narrow.effect ?? '')) return false;
  if (wide.tolerationSeconds !== undefined && (narrow.tolerationSeconds ?? Infinity) > wide.tolerationSeconds) return false;
  if (operator === 'Exists') return true;
  return key !== '' && (narrow.operator ?? 'Equal') === 'Equal' && value === (narrow.value ?? '');
}

function tolerationsIn(attributes: Attributes, annotation: string): readonly Toleration[] {
  const text = annotationsOf(attributes)[annotation];
  if (text === undefined || text === '') return [];
  try {
    const read = JSON.parse(text) as unknown;
    return Array.isArray(read) ? (read as readonly Toleration[]) : [];
  } catch {
    return [];
  }
}

function annotationsOf({write: {core, info}}: Attributes): Labels {
  return core.resources.of('namespaces').cache.get(info.namespace)?.metadata.annotations ?? {};
}
