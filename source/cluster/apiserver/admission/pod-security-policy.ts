// What the labels of a namespace ask of its pods: a level of the Pod Security Standards, in a version.
import type {AnyObject} from '../../../api/meta/object.ts';
import {type FieldError, invalid, root} from '../../../api/meta/field-error.ts';

const LABEL = 'pod-security.kubernetes.io/';
const LEVELS = ['privileged', 'baseline', 'restricted'];

/** A level that asks something, and its version as it is printed. */
export interface Standard {
  readonly level: 'baseline' | 'restricted';
  readonly version: string;
  readonly minor: number;
}

/** What is asked of pods, and what is only warned about. */
export interface Policy {
  readonly enforce: Standard | undefined;
  readonly warn: Standard | undefined;
}

/** The standard that the labels of a mode name. */
function standardOf(labels: Readonly<Record<string, string>>, mode: string): Standard | undefined {
  const level = labels[LABEL + mode];
  if (level !== 'baseline' && level !== 'restricted') return undefined;
  const version = labels[`${LABEL}${mode}-version`] ?? 'latest';
  return {level, version, minor: version === 'latest' ? Infinity : Number(version.slice('v1.'.length))};
}

/** What a namespace asks. */
export function policyOf(namespace: AnyObject | undefined): Policy {
  const labels = namespace?.metadata.labels ?? {};
  return {enforce: standardOf(labels, 'enforce'), warn: standardOf(labels, 'warn')};
}

/** A standard as it is printed: `baseline:latest`. */
export function standardText({level, version}: Standard): string {
  return `${level}:${version}`;
}

/** Is a standard stricter than what was asked before, or of another version? */
export function isNews(now: Standard, before: Standard | undefined, versionBefore: string): boolean {
  const rank = (level: string | undefined) => LEVELS.indexOf(level ?? 'privileged');
  return now.version !== versionBefore || rank(now.level) > rank(before?.level);
}

/** The version that the labels name for `enforce`. */
export function enforcedVersion(namespace: AnyObject | undefined): string {
  return namespace?.metadata.labels?.[`${LABEL}enforce-version`] ?? 'latest';
}

/** Labels that name no level or no version. */
export function policyErrors(namespace: AnyObject): readonly FieldError[] {
  const labels = namespace.metadata.labels ?? {};
  const path = root('metadata', 'labels');
  return ['enforce', 'audit', 'warn'].flatMap(mode => {
    const [level, version] = [labels[LABEL + mode], labels[`${LABEL}${mode}-version`]];
    const made: FieldError[] = [];
    if (level !== undefined && !LEVELS.includes(level))
      made.push(invalid(path.key(LABEL + mode), level, `must be one of ${LEVELS.join(', ')}`));
    if (version !== undefined && version !== 'latest' && !/^v1\.(0|[1-9]\d*)$/.test(version))
      made.push(invalid(path.key(`${LABEL}${mode}-version`), version, 'must be "latest" or "v1.x"'));
    return made;
  });
}
