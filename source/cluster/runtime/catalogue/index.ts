// Images that everybody knows, for clusters that no level describes: what they run, listen on, use and need, as far as it can be
// seen from outside. Sizes are those of the compressed layers, about. An image is made when somebody asks for its tag.
//
//     wellKnown('nginx:1.27-alpine')    familyOf('docker.io', 'library/nginx')
import {parseImage} from '../../../api/wire/image-reference.ts';
import type {CatalogueEntry} from '../image.ts';
import {AGNHOST} from './agnhost.ts';
import {BASES} from './bases.ts';
import {COURSES} from './courses.ts';
import {DATABASES} from './databases.ts';
import type {Family} from './family.ts';
import {KUBERNETES} from './kubernetes.ts';
import {NGINX} from './nginx.ts';
import {OBSERVABILITY} from './observability.ts';
import {SAMPLES} from './samples.ts';
import {STRESS} from './stress.ts';
import {releaseOf} from './tags.ts';
import {WEB} from './web.ts';

/** All of them. */
export const FAMILIES: readonly Family[] = [
  ...NGINX,
  ...BASES,
  ...WEB,
  ...DATABASES,
  ...SAMPLES,
  ...COURSES,
  ...AGNHOST,
  ...STRESS,
  ...OBSERVABILITY,
  ...KUBERNETES,
];

let shelves: ReadonlyMap<string, ReadonlyMap<string, Family>> | undefined;

/** The families of a registry, by path: `library/nginx`. */
export function familiesOf(registry: string): ReadonlyMap<string, Family> {
  shelves ??= sorted();
  return shelves.get(registry) ?? NONE;
}

const NONE: ReadonlyMap<string, Family> = new Map();

function sorted(): Map<string, Map<string, Family>> {
  const all = new Map<string, Map<string, Family>>();
  for (const family of FAMILIES) {
    const reference = parseImage(family.name);
    if ('error' in reference) continue;
    const shelf = all.get(reference.registry) ?? new Map<string, Family>();
    all.set(reference.registry, shelf.set(reference.path, family));
  }
  return all;
}

/** The image of a tag; undefined where the family has none of that name. */
export function imageOf(family: Family, tag: string): CatalogueEntry | undefined {
  const release = releaseOf(family.tags, tag);
  if (!release) return undefined;
  const {entry} = family;
  return {image: `${family.name}:${tag}`, ...(typeof entry === 'function' ? entry(release) : entry)};
}

/** A well-known image by its name with a tag. */
export function wellKnown(image: string): CatalogueEntry | undefined {
  const reference = parseImage(image);
  if ('error' in reference || reference.tag === undefined) return undefined;
  const family = familiesOf(reference.registry).get(reference.path);
  return family && imageOf(family, reference.tag);
}
