// The row of a ComponentStatus.
import type {ComponentStatus} from '../kinds/core-v1.ts';
import type {Cell} from './cells.ts';

/** Name, Status, Message, Error. */
export function componentStatusRow(status: ComponentStatus): readonly Cell[] {
  const healthy = status.conditions?.find(({type}) => type === 'Healthy');
  const word = healthy?.status === 'True' ? 'Healthy' : healthy?.status === 'False' ? 'Unhealthy' : 'Unknown';
  return [status.metadata.name, word, healthy?.message ?? '', healthy?.error ?? ''];
}
