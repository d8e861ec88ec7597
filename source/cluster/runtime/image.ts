// What a registry holds and a node pulls. The manifest that travels is the one that curl shows; what its layers contain (the
// model of the program, files) hangs on it under a symbol, as bytes that nobody prints.
import {parseImage} from '../../api/wire/image-reference.ts';
import {deepFreeze} from '../../api/meta/object.ts';
import {unitValue} from '../../api/meta/quantity.ts';
import {Dice} from '../../sim/dice.ts';
import type {ProgramModel} from './program-model.ts';

/** One image of a registry, as a level or the catalogue writes it. */
export interface CatalogueEntry {
  /** With its tag, as `registry.local/web:1.4`. */
  readonly image: string;
  /** Compressed, as a quantity or bytes. */
  readonly size: string | number;
  /** What runs when the container brings no command of its own. Absent: the image's command is a real program. */
  readonly program?: ProgramModel;
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
  if (command && command.length > 0) return args ? [...command, ...args] : command;
  const entrypoint = image.entrypoint ?? [];
  return [...entrypoint, ...(args && args.length > 0 ? args : (image.command ?? []))];
}
