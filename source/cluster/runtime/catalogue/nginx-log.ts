// What nginx and the script before it say as they start.
import type {ProgramModel} from '../program-model.ts';

const SCRIPT = '/docker-entrypoint.sh:';

/** Before 1.19 there was no script, and nothing was said. `runs`: it gets as far as its workers. */
export function nginxGreeting(version: string, runs = true): NonNullable<ProgramModel['greeting']> {
  const minor = Number(version.split('.')[1]);
  if (minor < 19) return () => [];
  return now => {
    const time = new Date(now).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ');
    const script = [
      `${SCRIPT} /docker-entrypoint.d/ is not empty, will attempt to perform configuration`,
      `${SCRIPT} Looking for shell scripts in /docker-entrypoint.d/`,
      `${SCRIPT} Launching /docker-entrypoint.d/10-listen-on-ipv6-by-default.sh`,
      '10-listen-on-ipv6-by-default.sh: info: Getting the checksum of /etc/nginx/conf.d/default.conf',
      '10-listen-on-ipv6-by-default.sh: info: Enabled listen on IPv6 in /etc/nginx/conf.d/default.conf',
      `${SCRIPT} Sourcing /docker-entrypoint.d/15-local-resolvers.envsh`,
      `${SCRIPT} Launching /docker-entrypoint.d/20-envsubst-on-templates.sh`,
      `${SCRIPT} Launching /docker-entrypoint.d/30-tune-worker-processes.sh`,
      `${SCRIPT} Configuration complete; ready for start up`,
    ];
    const notices = ['using the "epoll" event method', `nginx/${version}`, 'start worker processes', 'start worker process 29'];
    const said = runs && minor >= 21 ? notices : [];
    return [
      ...script.map(text => ({stream: 'stdout' as const, text})),
      ...said.map(text => ({stream: 'stderr' as const, text: `${time} [notice] 1#1: ${text}`})),
    ];
  };
}
