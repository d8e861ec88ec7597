// A repository that everybody knows: its name, its tags, and what an image of it is. One file a group of families, one line in the
// list of `index.ts`.
import type {CatalogueEntry} from '../image.ts';
import type {ProgramModel} from '../program-model.ts';
import type {Release, Tags} from './tags.ts';

/** An image without its name. */
export type Entry = Omit<CatalogueEntry, 'image'>;

export interface Family {
  /** As people write it, without a tag: `nginx`, `registry.k8s.io/pause`. */
  readonly name: string;
  readonly tags: Tags;
  readonly entry: Entry | ((release: Release) => Entry);
}

/** `v1` to the newest of each series. */
export function releases(text: string, more: Omit<Tags, 'releases'> = {}): Tags {
  return {releases: text.split(' '), ...more};
}

/** Only these tags, each its own version. */
export function only(text: string): Tags {
  return {names: Object.fromEntries(text.split(' ').map(tag => [tag, tag.replace(/^v/, '')]))};
}

/** A program of which others see no more than that it runs, and what it uses. */
export function component(size: string, command: string, program: ProgramModel): Entry {
  return {size, command: [command], tools: 'none', program};
}

/** The variants on Alpine. */
export const ALPINE = /^alpine(3\.\d{1,2})?$/;
/** The variants of the official images of languages and servers. */
export const OFFICIAL =
  /^(slim|alpine(3\.\d{1,2})?|(slim-)?(buster|bullseye|bookworm|trixie)|(buster|bullseye|bookworm|trixie)-slim)$/;

/** A smaller image where the variant is one. */
export function sized(release: Release, usual: string, small: string): string {
  return /alpine|slim/.test(release.variant) ? small : usual;
}
