// The registries of the world, and what they hold: images that everybody knows, and those that a level describes.
import {WELL_KNOWN} from '../cluster/runtime/catalogue.ts';
import type {CatalogueEntry} from '../cluster/runtime/image.ts';
import type {ProgramModel} from '../cluster/runtime/program-model.ts';

/** A registry, and whether it says 401 of what it does not have. */
export interface RegistryDescription {
  /** As images name it. */
  readonly name: string;
  /** As its server is called. */
  readonly host: string;
  readonly address: string;
  readonly secretive: boolean;
}

/** The registries that the world has, each a machine of its own outside of the cluster. */
export const REGISTRIES: readonly RegistryDescription[] = [
  {name: 'registry.local', host: 'registry.local', address: '10.0.0.200', secretive: false},
  {name: 'docker.io', host: 'registry-1.docker.io', address: '192.0.2.10', secretive: true},
  {name: 'registry.k8s.io', host: 'registry.k8s.io', address: '192.0.2.11', secretive: false},
  {name: 'quay.io', host: 'quay.io', address: '192.0.2.12', secretive: true},
  {name: 'ghcr.io', host: 'ghcr.io', address: '192.0.2.13', secretive: true},
];

/** The address of a registry's server; undefined for a name that is none. */
export function registryAddress(host: string): string | undefined {
  return REGISTRIES.find(registry => registry.host === host || registry.name === host)?.address;
}

/** All images of a cluster: the well-known ones, and those of its description with their models. */
export function imagesOf(description: {
  readonly images: readonly {readonly image: string; readonly sizeBytes: number; readonly program: string}[];
  readonly programs: Readonly<Record<string, ProgramModel>>;
}): readonly CatalogueEntry[] {
  const own = description.images.map(({image, sizeBytes, program}) => {
    const model = description.programs[program];
    return {image, size: sizeBytes, ...(model ? {program: model} : {})};
  });
  return [...WELL_KNOWN, ...own];
}
