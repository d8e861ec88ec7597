// DefaultTolerationSeconds: a pod stays for five minutes, or as long as the flags say, on a node that is not ready or cannot be
// reached, unless it says otherwise.
import type {PodSpec, Toleration} from '../../../api/kinds/core-v1.ts';
import {deepFreeze} from '../../../api/meta/object.ts';
import type {Plugin} from './plugin.ts';
import {specOf, withSpec} from './pod-object.ts';
import {SpecMemory} from './remember.ts';

const memory = new SpecMemory<PodSpec>();

interface Seconds {
  readonly notReady: number;
  readonly unreachable: number;
}

const added = new WeakMap<Seconds, readonly Toleration[]>();

function addedBy(seconds: Seconds): readonly Toleration[] {
  const known = added.get(seconds);
  if (known) return known;
  const tolerated = (key: string, tolerationSeconds: number): Toleration => ({
    key: `node.kubernetes.io/${key}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds,
  });
  const made = deepFreeze([tolerated('not-ready', seconds.notReady), tolerated('unreachable', seconds.unreachable)]);
  added.set(seconds, made);
  return made;
}

export const defaultTolerations: Plugin = {
  name: 'DefaultTolerationSeconds',
  resources: ['pods'],
  operations: ['CREATE', 'UPDATE'],
  mutate(object, {write}) {
    const spec = specOf(object);
    const {tolerationSeconds} = write.core.settings;
    return withSpec(
      object,
      memory.of(spec, `${tolerationSeconds.notReady} ${tolerationSeconds.unreachable}`, () => {
        const missing = addedBy(tolerationSeconds).filter(({key}) => !spec.tolerations?.some(each => tolerates(each, key ?? '')));
        return missing.length === 0 ? spec : {...spec, tolerations: [...(spec.tolerations ?? []), ...missing]};
      }),
    );
  },
};

function tolerates(toleration: Toleration, key: string): boolean {
  const sameKey = toleration.key === key || ((toleration.key ?? '') === '' && toleration.operator === 'Exists');
  return sameKey && (toleration.effect === 'NoExecute' || (toleration.effect ?? '') === '');
}
