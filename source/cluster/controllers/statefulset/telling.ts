// The events of a StatefulSet: what was done for a member of it, or could not be done.
import type {StatefulSet} from '../../../api/kinds/apps-v1.ts';
import type {Context} from '../context.ts';

type Verb = 'Create' | 'Delete' | 'Update';

export function tell({recorder}: Context, set: StatefulSet, verb: Verb, message: string): void {
  recorder.record(set, {type: 'Normal', reason: `Successful${verb}`, message});
}

export function tellFailure({recorder}: Context, set: StatefulSet, verb: Verb, message: string): void {
  recorder.record(set, {type: 'Warning', reason: `Failed${verb}`, message});
}
