// DefaultTolerationSeconds: a pod stays for five minutes on a node that is not ready or cannot be reached, unless it says otherwise.
import type {PodSpec, Toleration} from '../../../api/kinds/core-v1.ts';
import {deepFreeze} from '../../../api/meta/object.ts';
import type {Plugin} from './plugin.ts';
import {specOf, withSpec} from './pod-object.ts';
import {SpecMemory} from './remember.ts';

const memory = new SpecMemory<PodSpec>();

const ADDED: readonly Toleration[] = deepFreeze(
  ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map(key => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  })),
);

export const defaultTolerations: Plugin = {
  name: 'DefaultTolerationSeconds',
  resources: ['pods'],
  operations: ['CREATE', 'UPDATE'],
  mutate(object) {
    const spec = specOf(object);
    return withSpec(
      object,
      memory.of(spec, '', () => {
        const missing = ADDED.filter(({key}) => !spec.tolerations?.some(each => tolerates(each, key ?? '')));
        return missing.length === 0 ? spec : {...spec, tolerations: [...(spec.tolerations ?? []), ...missing]};
      }),
    );
  },
};

function tolerates(toleration: Toleration, key: string): boolean {
  const sameKey = toleration.key === key || ((toleration.key ?? '') === '' && toleration.operator === 'Exists');
  return sameKey && (toleration.effect === 'NoExecute' || (toleration.effect ?? '') === '');
}
