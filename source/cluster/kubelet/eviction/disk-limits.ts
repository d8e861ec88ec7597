// How much the containers of a pod may write, beside and into the folders of the pod: all together, and each of them alone.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {addQuantities, unitValue} from '../../../api/meta/quantity.ts';
import type {ContainerUsage} from '../../../api/wire/cri.ts';

const RESOURCE = 'ephemeral-storage';

/** Does any container have a bound? */
export function hasDiskLimit({spec}: Pod): boolean {
  return spec.containers.some(({resources}) => resources?.limits?.[RESOURCE] !== undefined);
}

/** Why the pod may not stay, in the words of its eviction. */
export function whyTooMuchWritten({spec}: Pod, usage: readonly ContainerUsage[], folderBytes: number): string | undefined {
  const limits = spec.containers.flatMap(({name, resources}) => {
    const limit = resources?.limits?.[RESOURCE];
    return limit === undefined ? [] : [{name, limit}];
  });
  const whole = limits.map(({limit}) => limit).reduce(addQuantities, '0');
  const written = usage.reduce((sum, {diskBytes}) => sum + diskBytes, folderBytes);
  if (written > unitValue(whole)) return `Pod ephemeral local storage usage exceeds the total limit of containers ${whole}. `;
  const own = limits.find(({name, limit}) => usage.some(each => each.name === name && each.diskBytes > unitValue(limit)));
  return own && `Container ${own.name} exceeded its local ephemeral storage limit ${JSON.stringify(String(own.limit))}. `;
}
