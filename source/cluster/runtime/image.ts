// What a registry holds and a node pulls. The manifest that travels is the one that curl shows; what its layers contain (the
// model of the program, files) hangs on it under a symbol, as bytes that nobody prints.
import {parseImage} from '../../api/wire/image-reference.ts';
import {deepFreeze} from '../../api/meta/object.ts';
import {unitValue} from '../../api/meta/quantity.ts';
import {Dice} from '../../sim/dice.ts';
import type {ProgramModel} from './program-model.ts';

/** How a container was started. */
export interface Start {
  readonly argv: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  readonly hostname: string;
  readonly uid: number;
  /** The text of a file inside. */
  readonly fileText: (path: string) => string | undefined;
  /** The names in a folder inside, sorted. */
  readonly namesIn: (folder: string) => readonly string[];
  /** Why a folder cannot be made there, in libc's words; undefined when it can. */
  readonly cannotMake: (folder: string) => string | undefined;
  /** Has a capability, written without `CAP_`? */
  readonly may: (capability: string) => boolean;
}

/** One image of a registry, as a level or the catalogue writes it. */
export interface CatalogueEntry {
  /** With its tag, as `registry.local/web:1.4`. */
  readonly image: string;
  /** Compressed, as a quantity or bytes. */
  readonly size: string | number;
  /** What runs when the container runs what the image is for. Absent: the image's command is a real program. */
  readonly program?: ProgramModel;
  /** The same, where it depends on how it was started; undefined when these arguments make it something else: a real program. */
  readonly modelFor?: (start: Start) => ProgramModel | undefined;
  /** Folders of its configuration. Given: it depends on arguments, on the user and on what is mounted there, and on nothing else. */
  readonly reads?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A uid, `uid:gid` or a name. Absent: root. */
  readonly user?: string;
  readonly ports?: readonly number[];
  readonly workingDir?: string;
  readonly stopSignal?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Which programs it brings: a name that `world` knows. Absent: a small Unix; `none`: nothing, as in `pause`. */
  readonly tools?: string;
}

/** Where the content of a manifest hangs. */
export const CONTENT = Symbol('content');

/** An image manifest, as a registry serves it. */
export interface Manifest {
  readonly schemaVersion: 2;
  readonly mediaType: string;
  readonly config: {readonly mediaType: string; readonly digest: string; readonly size: number};
  readonly layers: readonly {readonly mediaType: string; readonly digest: string; readonly size: number}[];
  readonly [CONTENT]: ImageContent;
}

/** What is in an image. */
export interface ImageContent extends CatalogueEntry {
  readonly digest: string;
  readonly configDigest: string;
  /** `repository@digest`. */
  readonly digestRef: string;
  readonly bytes: number;
}

/** The manifest of an entry. The digest follows from what the entry says: the same image is the same everywhere. */
export function manifestOf(entry: CatalogueEntry): Manifest {
  const reference = parseImage(entry.image);
  const name = 'error' in reference ? entry.image : reference.name;
  const dice = new Dice(0x1a9e).of(`${name} ${JSON.stringify(entry)}`);
  const digest = `sha256:${dice.hex(64)}`;
  const configDigest = `sha256:${dice.hex(64)}`;
  const bytes = unitValue(entry.size);
  const user = entry.user ?? entry.program?.user?.toString();
  const manifest: Manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: {mediaType: 'application/vnd.oci.image.config.v1+json', digest: configDigest, size: 1400 + dice.below(6000)},
    layers: [{mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', digest: `sha256:${dice.hex(64)}`, size: bytes}],
    [CONTENT]: deepFreeze({
      ...entry,
      ...(user === undefined ? {} : {user}),
      digest,
      configDigest,
      bytes,
      digestRef: `${'error' in reference ? entry.image : reference.repository}@${digest}`,
    }),
  };
  return deepFreeze(manifest);
}

/** The command line that an image runs, with what a container puts in place of its parts. */
export function commandLine(
  image: ImageContent,
  command: readonly string[] | undefined,
  args: readonly string[] | undefined,
): readonly string[] {
  if (command && command.length > 0) return behindScript(image, args ? [...command, ...args] : command);
  const entrypoint = image.entrypoint ?? [];
  return behindScript(image, [...entrypoint, ...(args && args.length > 0 ? args : (image.command ?? []))]);
}

/** Begins with a script that makes ready what is to come, and then becomes it? */
export function hasScript({entrypoint = [], program}: ImageContent): boolean {
  return program !== undefined && /entrypoint|\.sh$/.test(entrypoint[0] ?? '');
}

/** The script of an image becomes the command that follows it; options are for the program that the image is made for. */
function behindScript(image: ImageContent, line: readonly string[]): readonly string[] {
  const {entrypoint = [], command = []} = image;
  const [first, second = '-'] = line;
  if (!hasScript(image) || baseName(first) !== baseName(entrypoint[0])) return line;
  const rest = line.slice(1);
  return second.startsWith('-') ? [...command.slice(0, 1), ...rest] : rest;
}

const SHELLS = new Set(['sh', 'bash', 'ash']);

/**
 * Whether a command line is what the image is made for, with whatever arguments. An image that names none runs nothing else; of one
 * that a shell starts it is the line as it stands.
 */
export function isOwn({entrypoint = [], command = []}: ImageContent, line: readonly string[]): boolean {
  const whole = [...entrypoint, ...command];
  if (SHELLS.has(baseName(whole[0]))) return line.join(' ') === whole.join(' ');
  return whole.length === 0 || isNamed({entrypoint, command}, line[0]);
}

/** Whether a word is the name of the program that the image is made for. */
export function isNamed({entrypoint, command}: Pick<ImageContent, 'entrypoint' | 'command'>, word = ''): boolean {
  return [entrypoint?.[0], command?.[0]].some(
    own => own !== undefined && baseName(own) === baseName(word) && !SHELLS.has(baseName(own)),
  );
}

function baseName(path = ''): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
