// What runs in the containers of a random cluster: programs that serve at once or late, that end well or badly, that take their time
// to end.
import type {WorldDescription} from '../../../source/world/description.ts';

const web = {listen: [80], http: {'*': 200}};

const PROGRAMS: WorldDescription['programs'] = {
  web,
  late: {...web, startSeconds: 3},
  slow: {...web, termSeconds: 4},
  helper: {},
  busy: {...web, cpu: '0.3'},
  done: {exitCode: 0, exitAfterSeconds: 3},
  long: {exitCode: 0, exitAfterSeconds: 40},
  fails: {exitCode: 1, exitAfterSeconds: 2},
  refuses: {exitCode: 42, exitAfterSeconds: 1},
};

/** Images by the name of their program; `web` has a second release. */
export const IMAGES: WorldDescription['images'] = [...Object.keys(PROGRAMS), 'web'].map((program, n, all) => ({
  image: imageOf(program, n === all.length - 1 ? 'v2' : 'v1'),
  sizeBytes: 30_000_000,
  program,
}));

export {PROGRAMS};

export function imageOf(program: string, tag = 'v1'): string {
  return `registry.local/${program}:${tag}`;
}
