// The nodes and what is requested of their memory: that is what the scheduler sees.
import {ends, fit} from '../text/width.ts';
import {light} from '../text/theme.ts';
import type {PartView} from './view.ts';

const BAR = 10;

export function nodes({state, theme, width, height}: PartView): readonly string[] {
  const rows = state.panels.nodes.slice(0, height);
  return rows.map(({name, light: state_, requestedBytes, allocatableBytes, note}) => {
    const front = ` ${fit(name, 9)} ${light(theme, state.panels.staleSeconds === undefined ? state_ : 'stale')} `;
    if (requestedBytes === undefined)
      return ends(
        `${front}${theme.dim(`${gibibytes(allocatableBytes)}Gi, requests hidden from you`)}`,
        `${theme.dim(note)} `,
        width,
      );
    const share = allocatableBytes > 0 ? Math.min(1, requestedBytes / allocatableBytes) : 0;
    const full = Math.round(share * BAR);
    const [block, empty] = theme.ascii ? ['#', '.'] : ['█', '░'];
    const bar =
      (share > 0.9 ? theme.red : share > 0.7 ? theme.yellow : theme.green)(block.repeat(full)) +
      theme.dim(empty.repeat(BAR - full));
    return ends(`${front}mem ${bar} ${gibibytes(requestedBytes)}/${gibibytes(allocatableBytes)}Gi`, `${theme.dim(note)} `, width);
  });
}

function gibibytes(bytes: number): string {
  const value = bytes / 1024 ** 3;
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
