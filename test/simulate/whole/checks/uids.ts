// Nobody is born with the uid of another, however often servers begin anew.
import type {Check} from './check.ts';
import {nameOf} from './reading.ts';

/** Checks that a run makes anew for itself, as they remember. */
export function uidCheck(): Check {
  const owners = new Map<string, string>();
  return {
    change({before, after, resource}) {
      const uid = after?.metadata.uid;
      if (!after || uid === undefined || before?.metadata.uid === uid) return undefined;
      const name = `${resource} ${nameOf(after)}`;
      const other = owners.get(uid);
      owners.set(uid, name);
      return other === undefined ? undefined : `${name} has the uid of ${other}`;
    },
  };
}
