// The row of a ControllerRevision.
import type {ControllerRevision} from '../kinds/apps-v1.ts';
import {controllerOf, splitApiVersion} from '../meta/object.ts';
import {age, type Cell, NONE} from './cells.ts';

/** Name, Controller, Revision, Age. */
export function controllerRevisionRow(revision: ControllerRevision, nowMs: number): readonly Cell[] {
  const owner = controllerOf(revision);
  const group = owner ? splitApiVersion(owner.apiVersion).group : '';
  const kind = owner ? `${owner.kind}${group === '' ? '' : `.${group}`}`.toLowerCase() : '';
  return [revision.metadata.name, owner ? `${kind}/${owner.name}` : NONE, revision.revision, age(revision, nowMs)];
}
