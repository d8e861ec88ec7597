// An object is there, or is not. etcd's leader knows; while there is none, whoever watched last.
import type {CheckKind, ObjectReference} from './check.ts';
import {objectReference, referenceText} from './references.ts';

export const exists: CheckKind<ObjectReference> = {
  name: 'exists',
  arguments: objectReference(),
  judge(object, referee) {
    const there = referee.machines.holds(object) ?? referee.find(object) !== undefined;
    return there ? {met: true, note: 'there'} : {met: false, note: `no ${referenceText(object)}`};
  },
};

export const absent: CheckKind<ObjectReference> = {
  name: 'absent',
  arguments: objectReference(),
  judge: (object, referee) =>
    referee.find(object) ? {met: false, note: `${referenceText(object)} is there`} : {met: true, note: 'gone'},
};
