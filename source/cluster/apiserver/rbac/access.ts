// The question that authorization answers: may this user do this?

/** What somebody wants to do. */
export interface Access {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  /** Empty for a path that is no resource. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  /** For the node authorizer, which lets a kubelet list its own node's pods. */
  readonly fieldSelector?: string;
}

/** The answer; `reason` is told to the user. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

export const NO: Decision = Object.freeze({allowed: false, reason: ''});
export const YES: Decision = Object.freeze({allowed: true, reason: ''});

/** `pods/log`. */
export function resourcePath(access: {readonly resource: string; readonly subresource: string}): string {
  return access.subresource === '' ? access.resource : `${access.resource}/${access.subresource}`;
}

/** Why access was refused, in the words of the server. */
export function refusalText(user: string, access: Access, reason: string): string {
  const because = reason === '' ? '' : `: ${reason}`;
  if (access.resource === '')
    return `User ${JSON.stringify(user)} cannot ${access.verb} path ${JSON.stringify(access.path)}${because}`;
  const scope = access.namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(access.namespace)}`;
  const what = `resource ${JSON.stringify(resourcePath(access))} in API group ${JSON.stringify(access.group)}`;
  return `User ${JSON.stringify(user)} cannot ${access.verb} ${what} ${scope}${because}`;
}
