// `kubectl set image`: gives containers other images.
import {fail, type Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';
import type {Command, Outcome} from '../command.ts';
import {splitPairs} from '../pairs.ts';
import {changeAll, SET_FLAGS} from './change.ts';
import {changeContainers} from './templates.ts';

export const setImage: Command = {
  path: 'kubectl set image',
  short: 'Give containers other images',
  examples: ['kubectl set image deploy/web nginx=nginx:1.28', "kubectl set image deploy/web '*=nginx:1.28'"],
  does: SET_FLAGS,
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {resources, pairs} = splitPairs(session.args);
  const images = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) return fail(`all resources must be specified before image changes: ${pair}`);
    images.set(pair.slice(0, at), pair.slice(at + 1));
  }
  if (images.size > 1 && images.has('*'))
    return fail('all containers are already specified by *, but saw more than one container_name=container_image pairs');
  if (resources.length > 0 && images.size === 0) {
    // The resource is looked for first: a wrong name is the nearer mistake.
    const missing = await changeAll(session, resources, {operation: 'image updated', change: spec => spec});
    return missing ?? fail('at least one image update is required');
  }
  const complaints: Failure[] = [];
  return changeAll(session, resources, {
    operation: 'image updated',
    complaints,
    refusal: 'failed to patch image update to pod template: ',
    change: spec => {
      const all = [...(spec.initContainers ?? []), ...spec.containers];
      const isThere = (name: string) => name === '*' || all.some(container => container.name === name);
      for (const name of images.keys())
        if (!isThere(name)) complaints.push(fail(`error: unable to find container named ${JSON.stringify(name)}`));
      return changeContainers(
        spec,
        container => {
          const image = images.get(container.name) ?? images.get('*');
          return image === undefined ? container : {...container, image};
        },
        true,
      );
    },
  });
}
