// Conditions: the list of `type: status` that most kinds carry in their status.

/** What all conditions have. */
export interface AnyCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** The condition of a type. */
export function findCondition<C extends {readonly type: string}>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  // By place: asked for every pod again and again, and an iterator of a frozen list makes an object for each step.
  for (let at = 0; conditions && at < conditions.length; at++) if (conditions[at]?.type === type) return conditions[at];
  return undefined;
}

/** Is the condition there and True? */
export function isConditionTrue(
  conditions: readonly {readonly type: string; readonly status: string}[] | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/**
 * The conditions with one set. Its lastTransitionTime stays when the status stays; when nothing but that would differ, the
 * list comes back as it was.
 */
export function withCondition<C extends AnyCondition>(conditions: readonly C[] | undefined, next: C): readonly C[] {
  const list = conditions ?? [];
  const at = list.findIndex(condition => condition.type === next.type);
  const old = list[at];
  if (!old) return [...list, next];
  const kept =
    old.status === next.status && old.lastTransitionTime !== undefined
      ? {...next, lastTransitionTime: old.lastTransitionTime}
      : next;
  return sameFields(old, kept) ? list : list.with(at, kept);
}

/** The conditions without one type; the same list when it was not there. */
export function withoutCondition<C extends {readonly type: string}>(
  conditions: readonly C[] | undefined,
  type: string,
): readonly C[] {
  const list = conditions ?? [];
  return findCondition(list, type) ? list.filter(condition => condition.type !== type) : list;
}

function sameFields(a: object, b: object): boolean {
  const left = Object.entries(a).filter(([, value]) => value !== undefined);
  const right = new Map(Object.entries(b).filter(([, value]) => value !== undefined));
  return left.length === right.size && left.every(([key, value]) => right.get(key) === value);
}
