// `kubelet` and `containerd` typed by hand: they run as services here, and otherwise say which version they are.
import type {Program} from '../../sim/process/machine.ts';

const VERSIONS: Readonly<Record<string, string>> = {
  kubelet: 'Kubernetes v1.35.4',
  containerd: 'containerd github.com/containerd/containerd/v2 v2.1.5 fcd43222d6b07379a4be9786bda52438f0dd16a1',
};

/** A service's program, which a shell can only ask for its version. */
export function makeServiceProgram(name: string): Program {
  return async process => {
    if (process.argv.slice(1).some(word => /^(--version(=true)?|-v)$/.test(word))) {
      await process.out(`${VERSIONS[name] ?? ''}\n`);
      return 0;
    }
    await process.err(`${name}: it runs as a service of this machine: systemctl status ${name}\n`);
    return 1;
  };
}
