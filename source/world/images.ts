// The registries of the world, and the images that a level describes; those that everybody knows are the catalogue's.
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
  {name: 'gcr.io', host: 'gcr.io', address: '192.0.2.14', secretive: false},
  {name: 'k8s.gcr.io', host: 'k8s.gcr.io', address: '192.0.2.15', secretive: false},
  {name: 'us-docker.pkg.dev', host: 'us-docker.pkg.dev', address: '192.0.2.16', secretive: false},
  {name: 'mcr.microsoft.com', host: 'mcr.microsoft.com', address: '192.0.2.17', secretive: false},
  {name: 'public.ecr.aws', host: 'public.ecr.aws', address: '192.0.2.18', secretive: false},
  {name: 'docker.elastic.co', host: 'docker.elastic.co', address: '192.0.2.19', secretive: false},
  {name: 'registry.access.redhat.com', host: 'registry.access.redhat.com', address: '192.0.2.20', secretive: false},
];

/** The address of a registry's server; undefined for a name that is none. */
export function registryAddress(host: string): string | undefined {
  return REGISTRIES.find(registry => registry.host === host || registry.name === host)?.address;
}

/** The images of a cluster's description, with their models. */
export function imagesOf(description: {
  readonly images: readonly {readonly image: string; readonly sizeBytes: number; readonly program: string}[];
  readonly programs: Readonly<Record<string, ProgramModel>>;
}): readonly CatalogueEntry[] {
  return description.images.map(({image, sizeBytes, program}) => {
    const model = description.programs[program];
    return {image, size: sizeBytes, ...(model ? {program: model} : {})};
  });
}
