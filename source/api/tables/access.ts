// The rows of RBAC, certificates, admission and flow control.
import type {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '../kinds/admissionregistration-v1.ts';
import type {CertificateSigningRequest} from '../kinds/certificates-v1.ts';
import type {FlowSchema, PriorityLevelConfiguration} from '../kinds/flowcontrol-v1.ts';
import type {ClusterRole, ClusterRoleBinding, Role, RoleBinding} from '../kinds/rbac-v1.ts';
import {humanDuration} from '../meta/time.ts';
import {age, type Cell, conditionStatus, createdAt, NONE, or, UNSET} from './cells.ts';

export function roleRow(role: Role | ClusterRole): readonly Cell[] {
  return [role.metadata.name, createdAt(role)];
}

export function roleBindingRow(binding: RoleBinding | ClusterRoleBinding, nowMs: number): readonly Cell[] {
  const subjects = binding.subjects ?? [];
  const named = (kind: string) => subjects.filter(subject => subject.kind === kind).map(({name}) => name);
  const accounts = subjects
    .filter(({kind}) => kind === 'ServiceAccount')
    .map(({namespace, name}) => `${namespace ?? ''}/${name}`);
  const lists = [named('User'), named('Group'), accounts].map(list => list.join(', '));
  return [binding.metadata.name, `${binding.roleRef.kind}/${binding.roleRef.name}`, age(binding, nowMs), ...lists];
}

export function certificateSigningRequestRow(request: CertificateSigningRequest, nowMs: number): readonly Cell[] {
  const {spec, status} = request;
  const is = (type: string) => conditionStatus(status?.conditions, type) !== undefined;
  const verdict = is('Denied') ? 'Denied' : is('Approved') ? 'Approved' : 'Pending';
  const seconds = spec.expirationSeconds;
  return [
    request.metadata.name,
    age(request, nowMs),
    or(spec.signerName, NONE),
    spec.username ?? '',
    seconds === undefined ? NONE : humanDuration(seconds * 1000),
    `${verdict}${is('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`,
  ];
}

export function webhooksRow(
  configuration: MutatingWebhookConfiguration | ValidatingWebhookConfiguration,
  nowMs: number,
): readonly Cell[] {
  return [configuration.metadata.name, configuration.webhooks?.length ?? 0, age(configuration, nowMs)];
}

export function admissionPolicyRow(policy: ValidatingAdmissionPolicy, nowMs: number): readonly Cell[] {
  const kind = policy.spec?.paramKind;
  const text = kind ? `${kind.apiVersion ?? ''}/${kind.kind ?? ''}` : UNSET;
  return [policy.metadata.name, policy.spec?.validations?.length ?? 0, text, age(policy, nowMs)];
}

export function admissionPolicyBindingRow(binding: ValidatingAdmissionPolicyBinding, nowMs: number): readonly Cell[] {
  const reference = binding.spec?.paramRef;
  const name = reference?.namespace ? `${reference.namespace}/${reference.name ?? '*'}` : (reference?.name ?? '*');
  return [binding.metadata.name, binding.spec?.policyName ?? '', reference ? name : UNSET, age(binding, nowMs)];
}

export function flowSchemaRow(schema: FlowSchema, nowMs: number): readonly Cell[] {
  const {spec, status} = schema;
  return [
    schema.metadata.name,
    spec?.priorityLevelConfiguration.name ?? '',
    spec?.matchingPrecedence ?? 0,
    or(spec?.distinguisherMethod?.type, NONE),
    age(schema, nowMs),
    status?.conditions?.find(({type}) => type === 'Dangling')?.status ?? '?',
  ];
}

export function priorityLevelRow(level: PriorityLevelConfiguration, nowMs: number): readonly Cell[] {
  const {spec} = level;
  const queuing = spec?.limited?.limitResponse?.queuing;
  const shares = spec?.limited?.nominalConcurrencyShares ?? spec?.exempt?.nominalConcurrencyShares;
  const numbers = [shares, queuing?.queues, queuing?.handSize, queuing?.queueLengthLimit].map(one =>
    one === undefined ? NONE : one,
  );
  return [level.metadata.name, spec?.type ?? '', ...numbers, age(level, nowMs)];
}
