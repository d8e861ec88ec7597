// The folders at the top of an image's tree, by the kind of system that it is built on.

const EVERYWHERE = ['/bin', '/dev', '/etc', '/proc', '/sys', '/tmp', '/usr', '/var'];
const SMALL = [...EVERYWHERE, '/home', '/lib', '/lib64', '/root'];
const WHOLE = [...SMALL, '/boot', '/media', '/mnt', '/opt', '/run', '/sbin', '/srv'];
/** Nothing but a program. */
const BARE = ['/dev', '/etc', '/proc', '/sys'];

/** Systems with a package manager, by the first word of what an image's entry says of its programs. */
const WHOLE_KINDS = new Set(['debian', 'ubuntu', 'alpine', 'redhat', 'perl', 'python', 'redis', 'netshoot', 'kubectl', 'nginx']);

/** The folders. */
export function foldersOf(tools: string | undefined): readonly string[] {
  const [kind = ''] = (tools ?? '').split(' ');
  if (kind === 'none') return BARE;
  return WHOLE_KINDS.has(kind) ? WHOLE : SMALL;
}
