// The player's objects as a tree, as kubectl would put them: ready, status, age.
import {ends, fit} from '../text/width.ts';
import {light} from '../text/theme.ts';
import type {PartView} from './view.ts';

const SHORT: Readonly<Record<string, string>> = {
  Deployment: 'deploy',
  ReplicaSet: 'rs',
  Pod: 'pod',
  Service: 'svc',
  StatefulSet: 'sts',
  DaemonSet: 'ds',
};

/** Columns below which names are shortened and steps are small. */
const NARROW = 70;

export function objects({state, theme, width, height}: PartView): readonly string[] {
  const rows = state.panels.objects;
  if (rows.length === 0) return [theme.dim(' nothing that you may see')];
  const isOld = state.panels.staleSeconds !== undefined;
  const chosen = state.mode === 'look' && state.view === 'objects' ? Math.min(state.selected, rows.length - 1) : -1;
  const from = Math.max(0, Math.min(chosen - Math.floor(height / 2), rows.length - height));
  return rows.slice(from, from + height).map((row, index) => {
    const name = row.depth > 1 && width < NARROW ? `…${row.name.slice(row.name.lastIndexOf('-'))}` : row.name;
    const left = ` ${(width < NARROW ? ' ' : '  ').repeat(row.depth)}${fit(SHORT[row.kind] ?? row.kind.toLowerCase(), 7)}${name}`;
    const text = ends(
      left,
      `${fit(row.ready, 6)}${light(theme, isOld ? 'stale' : row.light)} ${fit(row.status, 17)}${row.age.padStart(5)} `,
      width,
    );
    return from + index === chosen ? theme.inverse(text) : text;
  });
}
