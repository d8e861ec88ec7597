// The approval that a definition in a group of Kubernetes' own needs.

export const APPROVAL = 'api-approved.kubernetes.io';
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** What the annotation says, and the sentence for it. */
export interface Approval {
  readonly state: 'approved' | 'bypassed' | 'missing' | 'invalid';
  readonly reason: string;
}

/** Is a group kept for Kubernetes? */
export function isProtected(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}

/** The approval of a definition; undefined where none is needed. */
export function approvalOf(group: string, annotations: Readonly<Record<string, string>> = {}): Approval | undefined {
  if (!isProtected(group)) return undefined;
  const text = annotations[APPROVAL] ?? '';
  if (text === '') return {state: 'missing', reason: `protected groups must have approval annotation "${APPROVAL}", ${SEE}`};
  if (text.startsWith('unapproved')) return {state: 'bypassed', reason: `not approved: ${JSON.stringify(text)}`};
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/\s]+/.test(text)) return {state: 'approved', reason: `approved in ${text}`};
  return {
    state: 'invalid',
    reason: `protected groups must have approval annotation "${APPROVAL}" with either a URL or a reason starting with "unapproved", ${SEE}`,
  };
}
