// The player's laptop: outside of the cluster, with a kubeconfig and the programs that the level allows.
import type {Authority} from './authority.ts';
import {API_PORT, type WorldDescription} from './description.ts';
import {Host, type Physics} from './host.ts';
import {kubeconfigText} from './kubeconfig.ts';
import {LAPTOP} from './programs.ts';

export interface LaptopOptions {
  readonly physics: Physics;
  readonly authority: Authority;
  readonly description: WorldDescription;
  readonly api: string;
}

export function layLaptop({physics, authority, description, api}: LaptopOptions): Host {
  const host = new Host(physics, 'laptop', '10.0.0.100');
  const {user, groups, namespace, identity = user} = description.player;
  const certificate = authority.issue(identity, groups);
  const text = kubeconfigText(
    {
      name: namespace === '' ? `${identity}@kubernetes` : namespace,
      server: `https://${api}:${API_PORT}`,
      user: identity,
      certificate,
      namespace,
    },
    authority.certificate,
  );
  host.files.makeFolder(`/home/${user}`);
  host.files.makeFolder('/tmp');
  for (const [name, program] of LAPTOP) host.programs.set(name, program);
  host.files.place(`/home/${user}/.kube/config`, text, 0o600);
  return host;
}
