// `authorizer`: an expression may ask whether the user of the request, or a service account, may do something.
import type {Declaration} from '../signatures.ts';
import type {Special} from '../values.ts';

/** What is asked. */
export interface Question {
  /** `namespace/name` of another's service account; undefined for the user of the request. */
  readonly account?: string;
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly verb: string;
}

/** Who answers. */
export type Ask = (question: Question) => {readonly allowed: boolean; readonly reason: string};

type Draft = Omit<Question, 'verb'>;

/** A question as far as it is put. */
export class Check implements Special {
  readonly celType: string;
  readonly ask: Ask;
  readonly draft: Draft;

  constructor(celType: string, ask: Ask, draft: Draft) {
    this.celType = celType;
    this.ask = ask;
    this.draft = draft;
  }

  equals(other: unknown): boolean {
    return other === this;
  }
}

class Decision implements Special {
  readonly celType = 'kubernetes.authorization.Decision';
  readonly allowed: boolean;
  readonly reason: string;
  constructor(answer: {readonly allowed: boolean; readonly reason: string}) {
    this.allowed = answer.allowed;
    this.reason = answer.reason;
  }
  equals(other: unknown): boolean {
    return other === this;
  }
}

const ROOM = 'kubernetes.authorization';

/** The value of the variable `authorizer`. */
export function authorizerOf(ask: Ask): Check {
  return new Check(`${ROOM}.Authorizer`, ask, {});
}

/** The value of `authorizer.requestResource`. */
export function requestResourceOf(ask: Ask, draft: Draft): Check {
  return new Check(`${ROOM}.ResourceCheck`, ask, draft);
}

const next = (type: string, field: keyof Draft) => (check: Check, value: string) =>
  new Check(`${ROOM}.${type}`, check.ask, {...check.draft, [field]: value});
const verdict = (check: Check, verb: string) => new Decision(check.ask({...check.draft, verb}));

export const AUTHORIZER: readonly Declaration[] = [
  ['authorizer.path(string): path', next('PathCheck', 'path')],
  ['authorizer.group(string): group', next('GroupCheck', 'group')],
  [
    'authorizer.serviceAccount(string, string): authorizer',
    (check: Check, namespace: string, name: string) =>
      new Check(check.celType, check.ask, {...check.draft, account: `${namespace}/${name}`}),
  ],
  ['group.resource(string): resource', next('ResourceCheck', 'resource')],
  ['resource.subresource(string): resource', next('ResourceCheck', 'subresource')],
  ['resource.namespace(string): resource', next('ResourceCheck', 'namespace')],
  ['resource.name(string): resource', next('ResourceCheck', 'name')],
  // Selectors narrow a question only for authorizers that look at them; RBAC does not.
  ['resource.fieldSelector(string): resource', (check: Check) => check],
  ['resource.labelSelector(string): resource', (check: Check) => check],
  ['path.check(string): decision', verdict],
  ['resource.check(string): decision', verdict],
  ['decision.allowed(): bool', ({allowed}: Decision) => allowed],
  ['decision.reason(): string', ({reason}: Decision) => reason],
  ['decision.errored(): bool', () => false],
  ['decision.error(): string', () => ''],
];
