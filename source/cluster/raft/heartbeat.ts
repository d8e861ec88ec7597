// A leader's sign of life.
import type {Core} from './core.ts';

/** Tells all that it lives; with the number of a read, asks them to confirm it. */
export function beat(core: Core, read: number): void {
  const {committed} = core.log;
  for (const [to, progress] of core.progress) {
    if (to !== core.id) core.send({type: 'heartbeat', to, commit: Math.min(progress.match, committed), read});
  }
}
