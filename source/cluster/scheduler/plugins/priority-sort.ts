// The order of the queue: the more important pod first, among equals the one that has waited longer. The queue itself keeps this
// order (queue.ts), as the default profile knows no other; the plugin is here so that configurations can name it.
import type {Plugin} from '../framework.ts';

export const prioritySort: Plugin = {name: 'PrioritySort'};
