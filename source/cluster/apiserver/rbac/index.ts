// RBAC, compiled. Bindings are found by their subjects, so a user's rules are gathered without a walk over all bindings; what
// a user may do is remembered until any role or binding changes. A decision that depends on the object's name is made anew
// each time, over the few rules that name objects.
import type {ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject} from '../../../api/kinds/rbac-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {User} from '../auth/user.ts';
import type {ResourceCache} from '../cache/resource-cache.ts';
import {NO, YES, type Access, type Decision} from './access.ts';
import {allows, allowsKind, hasNames} from './rules.ts';

type Binding = RoleBinding | ClusterRoleBinding;

/** The rules that one binding gives. */
export interface Grant {
  readonly rules: readonly PolicyRule[];
  readonly binding: Binding;
  readonly subject: Subject;
  /** Why there are no rules: the role is missing. */
  readonly error?: string;
}

interface Known {
  readonly generation: number;
  readonly grants: Map<string, readonly Grant[]>;
  readonly verdicts: Map<string, Decision | 'names'>;
}

const MOST_VERDICTS = 5000;

/** The four kinds of RBAC as the caches hold them. */
export interface RbacCaches {
  readonly roles: ResourceCache;
  readonly clusterRoles: ResourceCache;
  readonly roleBindings: ResourceCache;
  readonly clusterRoleBindings: ResourceCache;
}

/** Answers what RBAC allows. */
export class RbacIndex {
  readonly #caches: RbacCaches;
  readonly #bySubject = new Map<string, Map<string, Binding>>();
  readonly #known = new WeakMap<User, Known>();
  #generation = 0;

  constructor(caches: RbacCaches) {
    this.#caches = caches;
    for (const cache of [caches.roles, caches.clusterRoles]) cache.on(() => this.#generation++);
    caches.roleBindings.on((now, before, key) => this.#rebind(`role ${key}`, now, before));
    caches.clusterRoleBindings.on((now, before, key) => this.#rebind(`cluster ${key}`, now, before));
  }

  /** May the user do it, and by which binding? */
  decide(user: User, access: Access): Decision {
    const known = this.#knownOf(user);
    const place =
      access.resource === '' ? access.path : `${access.group}/${access.resource}/${access.subresource} ${access.namespace}`;
    const question = `${access.verb} ${place}`;
    let verdict = known.verdicts.get(question);
    if (verdict === undefined) {
      verdict = this.#judge(user, access);
      if (known.verdicts.size >= MOST_VERDICTS) known.verdicts.clear();
      known.verdicts.set(question, verdict);
    }
    return verdict === 'names' ? this.#search(user, access, allows) : verdict;
  }

  /** All that is granted to a user for the whole cluster (empty namespace) or, with that, in a namespace. */
  grants(user: User, namespace: string): readonly Grant[] {
    const {grants} = this.#knownOf(user);
    const known = grants.get(namespace);
    if (known) return known;
    const made = this.#gather(user, namespace);
    grants.set(namespace, made);
    return made;
  }

  /** The rules of the role that a binding refers to; undefined when it is missing. */
  rulesOf(namespace: string, roleRef: {readonly kind: string; readonly name: string}): readonly PolicyRule[] | undefined {
    const {roles, clusterRoles} = this.#caches;
    const role = roleRef.kind === 'Role' ? roles.get(`${namespace}/${roleRef.name}`) : clusterRoles.get(roleRef.name);
    return role && ((role as unknown as Role | ClusterRole).rules ?? []);
  }

  #knownOf(user: User): Known {
    const known = this.#known.get(user);
    if (known?.generation === this.#generation) return known;
    const made: Known = {generation: this.#generation, grants: new Map(), verdicts: new Map()};
    this.#known.set(user, made);
    return made;
  }

  #judge(user: User, access: Access): Decision | 'names' {
    if (access.resource === '') return this.#search(user, access, allows);
    const plain = this.#search(user, access, (rule, wanted) => !hasNames(rule) && allowsKind(rule, wanted));
    if (plain.allowed) return plain;
    const named = this.#search(user, access, (rule, wanted) => hasNames(rule) && allowsKind(rule, wanted));
    return named.allowed ? 'names' : plain;
  }

  #search(user: User, access: Access, fits: (rule: PolicyRule, access: Access) => boolean): Decision {
    const errors: string[] = [];
    for (const scope of access.namespace === '' ? [''] : ['', access.namespace]) {
      for (const grant of this.grants(user, scope)) {
        if (grant.error !== undefined) errors.push(grant.error);
        if (grant.rules.some(rule => fits(rule, access))) return {...YES, reason: grantText(grant)};
      }
    }
    return errors.length > 0 ? {allowed: false, reason: `RBAC: ${listText(errors)}`} : NO;
  }

  #gather(user: User, namespace: string): readonly Grant[] {
    const grants: Grant[] = [];
    for (const key of subjectKeys(user)) {
      for (const binding of this.#bySubject.get(key)?.values() ?? []) {
        if ((binding.metadata.namespace ?? '') !== namespace) continue;
        const subject = binding.subjects?.find(each => subjectKey(each, namespace) === key);
        if (subject) grants.push(this.#grant(binding, subject));
      }
    }
    return grants.sort((a, b) => (bindingName(a.binding) < bindingName(b.binding) ? -1 : 1));
  }

  #grant(binding: Binding, subject: Subject): Grant {
    const {roleRef} = binding;
    const rules = this.rulesOf(binding.metadata.namespace ?? '', roleRef);
    if (rules) return {rules, binding, subject};
    const kind = roleRef.kind === 'Role' ? 'role' : 'clusterrole';
    return {rules: [], binding, subject, error: `${kind}.rbac.authorization.k8s.io "${roleRef.name}" not found`};
  }

  #rebind(id: string, now: AnyObject | undefined, before: AnyObject | undefined): void {
    this.#generation++;
    for (const key of keysOf(before)) {
      const bindings = this.#bySubject.get(key);
      bindings?.delete(id);
      if (bindings?.size === 0) this.#bySubject.delete(key);
    }
    if (!now) return;
    for (const key of keysOf(now)) {
      const bindings = this.#bySubject.get(key) ?? new Map<string, Binding>();
      bindings.set(id, now as unknown as Binding);
      this.#bySubject.set(key, bindings);
    }
  }
}

function keysOf(object: AnyObject | undefined): Set<string> {
  const binding = object as unknown as Binding | undefined;
  return new Set(binding?.subjects?.map(subject => subjectKey(subject, binding.metadata.namespace ?? '')));
}

function subjectKey(subject: Subject, namespace: string): string {
  if (subject.kind === 'ServiceAccount') return `User system:serviceaccount:${subject.namespace ?? namespace}:${subject.name}`;
  return `${subject.kind} ${subject.name}`;
}

function subjectKeys(user: User): readonly string[] {
  return [`User ${user.name}`, ...user.groups.map(group => `Group ${group}`)];
}

function bindingName(binding: Binding): string {
  return `${binding.metadata.namespace ?? ''}/${binding.metadata.name}`;
}

function grantText({binding, subject}: Grant): string {
  const {roleRef, metadata} = binding;
  const account =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace ?? metadata.namespace ?? ''}` : subject.name;
  const role = `${roleRef.kind} ${JSON.stringify(roleRef.name)}`;
  const bound =
    metadata.namespace === undefined
      ? `ClusterRoleBinding ${JSON.stringify(metadata.name)}`
      : `RoleBinding ${JSON.stringify(`${metadata.name}/${metadata.namespace}`)}`;
  return `RBAC: allowed by ${bound} of ${role} to ${subject.kind} ${JSON.stringify(account)}`;
}

function listText(errors: readonly string[]): string {
  const unique = [...new Set(errors)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}
