// What the flags of `kubectl debug` ask for, and what does not go together.
import type {Container} from '../../../api/kinds/core-v1.ts';
import {readYaml} from '../../../api/yaml/read.ts';
import {isFields, type Fields} from '../../../api/meta/fields.ts';
import {fail, type Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {isImageName} from '../image-name.ts';
import {isProfile, type Profile} from './profiles.ts';

/** The words that name what is looked into, and those of the command. */
export function wordsOf({flags, args}: Session): {readonly names: readonly string[]; readonly command: readonly string[]} {
  const at = flags.argsBeforeDash ?? args.length;
  return {names: args.slice(0, at), command: args.slice(at)};
}

export function imageProblem(session: Session): Failure | undefined {
  const {flags} = session;
  const {names, command} = wordsOf(session);
  const [image, copyTo] = [flags.text('image'), flags.text('copy-to')];
  const images = flags.list('set-image');
  if (copyTo === '') {
    for (const [name, given] of [
      ['replace', flags.on('replace')],
      ['same-node', flags.on('same-node')],
      ['set-image', images.length > 0],
    ] as const)
      if (given) return fail(`--${name} may only be used with --copy-to.`);
    if (image === '') return fail('you must specify --image when not using --copy-to.');
  } else {
    if (image === '' && images.length === 0 && command.length === 0)
      return fail('you must specify --image, --set-image or command arguments.');
    if (command.length > 0 && flags.text('container') === '' && image === '')
      return fail('you must specify an existing container or a new image when specifying args.');
  }
  if (image !== '' && !isImageName(image)) return fail(`invalid image name ${JSON.stringify(image)}: invalid reference format`);
  for (const [container = '', name = ''] of images.map(pair => pair.split(/=(.*)/s)))
    if (!isImageName(name))
      return fail(
        `invalid image name ${JSON.stringify(name)} for container ${JSON.stringify(container)}: invalid reference format`,
      );
  if (names.length === 0 && !session.hasFiles) return fail('NAME or filename is required for debug');
  return undefined;
}

/** All else that does not go together. */
export function otherProblem({flags}: Session): Failure | undefined {
  const policy = flags.text('image-pull-policy');
  if (!['', 'Always', 'IfNotPresent', 'Never'].includes(policy)) return fail(`invalid image pull policy: ${policy}`);
  if (flags.text('target') !== '' && flags.text('copy-to') !== '')
    return fail('--target is incompatible with --copy-to. Use --share-processes instead.');
  if (flags.on('tty') && !flags.on('stdin')) return fail('-i/--stdin is required for containers with -t/--tty=true');
  if (!isProfile(flags.text('profile'))) return fail(`unknown profile: ${flags.text('profile')}`);
  return undefined;
}

export function profileOf({flags}: Session): Profile {
  const word = flags.text('profile');
  return isProfile(word) ? word : 'legacy';
}

/** Fields that a file of one's own may not set. */
const FIXED = ['name', 'command', 'image', 'lifecycle', 'volumeDevices'];

/** `--custom`: fields for the container. */
export function customFields({flags, process}: Session): Fields | Failure {
  const file = flags.text('custom');
  if (file === '') return {};
  const text = process.machine.files.read(process.path(file));
  if (text === undefined)
    return fail(`must pass a container spec json file for custom profile: open ${file}: no such file or directory`);
  const value = readYaml(text).documents[0]?.value;
  if (!isFields(value)) return fail(`${text.trim()} does not contain a valid container spec`);
  return FIXED.some(name => value[name] !== undefined)
    ? fail('name, command, image, lifecycle and volume devices are not modifiable via custom profile')
    : value;
}

/** The container that is added. */
export function debugContainer(session: Session, name: string, {withResources}: {withResources: boolean}): Container | Failure {
  const {flags} = session;
  const {command} = wordsOf(session);
  const env: {name: string; value: string}[] = [];
  for (const word of flags.list('env')) {
    const at = word.indexOf('=');
    env.push({name: word.slice(0, at), value: word.slice(at + 1)});
  }
  const policy = flags.text('image-pull-policy');
  return {
    name,
    image: flags.text('image'),
    terminationMessagePolicy: 'File',
    ...(withResources ? {resources: {}} : {}),
    ...(env.length > 0 ? {env} : {}),
    ...(policy === '' ? {} : {imagePullPolicy: policy}),
    ...(command.length > 0 ? {[flags.on('arguments-only') ? 'args' : 'command']: command} : {}),
    ...(flags.on('stdin') ? {stdin: true} : {}),
    ...(flags.on('tty') ? {tty: true} : {}),
  } as Container;
}
