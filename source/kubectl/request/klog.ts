// The head of a log line of kubectl's own: `1130 05:18:00.120700    9301`.
import type {Process} from '../../sim/process/process.ts';

/** The time and the process number, as klog writes them after the letter of the severity. */
export function klogTime(process: Process): string {
  const [date = '', time = ''] = new Date(process.machine.wall()).toISOString().split('T');
  return `${date.slice(5, 7)}${date.slice(8, 10)} ${time.slice(0, 12)}000 ${String(process.pid).padStart(7)}`;
}
