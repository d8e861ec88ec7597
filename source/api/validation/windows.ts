// What only pods of Windows have, and what they cannot have.
import type {PodSpec, SecurityContext, WindowsSecurityContextOptions} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid} from '../meta/field-error.ts';
import {checkSubdomain} from '../meta/names.ts';
import {type Errors, sentences} from './rules.ts';

const MOST_SPEC_KIB = 64;
const MOST_DOMAIN = 256;
const MOST_USER = 104;
const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;
const NOT_FOR_WINDOWS = 'cannot be set for a windows pod';
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_PART = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DNS = new RegExp(`^${DNS_PART}(?:\\.${DNS_PART})*$`);

/** The options of a container or a pod. */
export function windowsOptions(options: WindowsSecurityContextOptions | undefined, path: FieldPath, errors: Errors): void {
  if (!options) return;
  const {gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user} = options;
  if (name !== undefined) sentences(checkSubdomain(name), {path: path.child('gmsaCredentialSpecName'), value: name}, errors);
  const at = path.child('gmsaCredentialSpec');
  if (spec === '') errors.push(invalid(at, spec, 'gmsaCredentialSpec cannot be an empty string'));
  else if ((spec?.length ?? 0) > MOST_SPEC_KIB * 1024)
    errors.push(invalid(at, spec, `gmsaCredentialSpec size must be under ${MOST_SPEC_KIB} KiB`));
  if (user !== undefined) sentences(userTexts(user), {path: path.child('runAsUserName'), value: user}, errors);
}

/** What is wrong with a user: `DOMAIN\\name` or a name. */
function userTexts(text: string): readonly string[] {
  const parts = text.split('\\');
  if (text === '') return ['runAsUserName cannot be an empty string'];
  if (/[\u0000-\u001f\u007f]/.test(text)) return ['runAsUserName cannot contain control characters'];
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? parts[0] : undefined;
  const wrong: [boolean, string][] = [
    [(domain?.length ?? 0) >= MOST_DOMAIN, `runAsUserName's Domain length must be under ${MOST_DOMAIN} characters`],
    [
      domain !== undefined && !NETBIOS.test(domain) && !DNS.test(domain),
      "runAsUserName's Domain doesn't match the NetBios nor the DNS format",
    ],
    [user === '', "runAsUserName's User cannot be empty"],
    [user.length > MOST_USER, `runAsUserName's User length must not be longer than ${MOST_USER} characters`],
    [/^[. ]+$/.test(user), "runAsUserName's User cannot contain only periods or spaces"],
    [/["/\\:;|=,+*?<>@[\]]/.test(user), `runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`],
  ];
  return wrong.flatMap(([found, sentence]) => (found ? [sentence] : []));
}

interface OfContainer {
  readonly context: SecurityContext | undefined;
  readonly path: FieldPath;
}

function allContexts(spec: PodSpec, path: FieldPath): OfContainer[] {
  return LISTS.flatMap(list =>
    (spec[list] ?? []).map(({securityContext}, i) => ({
      context: securityContext,
      path: path.child(list).index(i).child('securityContext'),
    })),
  );
}

/** Containers that are processes of the node itself: all of a pod or none, and on the node's network. */
export function hostProcesses(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const whole = spec.securityContext?.windowsOptions?.hostProcess;
  const all = allContexts(spec, path);
  let count = 0;
  for (const {context, path: at} of all) {
    const own = context?.windowsOptions?.hostProcess;
    if (own ?? whole) count++;
    if (own === undefined || whole === undefined || own === whole) continue;
    const text = `pod hostProcess value must be identical if both are specified, was ${whole}`;
    errors.push(invalid(at.child('windowsOptions', 'hostProcess'), own, text));
  }
  if (count === 0) return;
  if (count !== all.length) {
    const text = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(invalid(path, '', text));
  }
  if (!spec.hostNetwork)
    errors.push(invalid(path.child('hostNetwork'), false, 'hostNetwork must be true if pod contains any hostProcess containers'));
}

/** A pod of Linux has nothing of Windows. */
export function onlyLinux(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const text = 'windows options cannot be set for a linux pod';
  if (spec.securityContext?.windowsOptions) errors.push(forbiddenField(path.child('securityContext', 'windowsOptions'), text));
  for (const {context, path: at} of allContexts(spec, path))
    if (context?.windowsOptions) errors.push(forbiddenField(at.child('windowsOptions'), text));
}

const POD_FIELDS = [
  'appArmorProfile',
  'seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'shareProcessNamespace',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const;
const CONTAINER_FIELDS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;
const OF_SPEC: ReadonlySet<string> = new Set(['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace']);

/** A pod of Windows has nothing of Linux. */
export function onlyWindows(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const own = spec as unknown as Readonly<Record<string, unknown>>;
  const context = (spec.securityContext ?? {}) as Readonly<Record<string, unknown>>;
  for (const field of POD_FIELDS) {
    const ofSpec = OF_SPEC.has(field);
    const value = ofSpec ? own[field] : context[field];
    const given = field === 'hostPID' || field === 'hostIPC' ? value === true : value !== undefined;
    if (given) errors.push(forbiddenField(ofSpec ? path.child(field) : path.child('securityContext', field), NOT_FOR_WINDOWS));
  }
  for (const {context: one, path: at} of allContexts(spec, path))
    for (const field of CONTAINER_FIELDS)
      if (one?.[field] !== undefined) errors.push(forbiddenField(at.child(field), NOT_FOR_WINDOWS));
}
