// What kube-apiserver's audit flags come to: a policy that was read and judged, and a file that grows. A file that is full is put aside
// under the time of day, and of those so many are kept. A line that cannot be written is lost, and the server's log says so.
import {AUDIT_LEVELS, AUDIT_STAGES, type AuditSettings} from '../../cluster/apiserver/index.ts';
import {
  aggregateText,
  invalid,
  notSupported,
  required,
  root,
  type FieldError,
  type FieldPath,
} from '../../api/meta/field-error.ts';
import {isFields, type Fields} from '../../api/meta/fields.ts';
import {readYaml} from '../../api/yaml/read.ts';
import type {Daemon} from '../../sim/daemon.ts';
import {FILE_ERROR_TEXT, type FileError, type Files} from '../../sim/files.ts';
import type {Flags} from './flags.ts';
import type {Read} from './secrets.ts';

const LEVELS: readonly string[] = AUDIT_LEVELS;
const STAGES: readonly string[] = AUDIT_STAGES;
const MEGABYTE = 1024 * 1024;
/** Where no flag says how large a file becomes. */
const USUAL_MEGABYTES = 100;

/** The audit log that the flags ask for; undefined for none, which one without a policy or without a file is. */
export function readAudit(daemon: Daemon, files: Files, flags: Flags): Read<AuditSettings | undefined> {
  const path = flags.text('audit-log-path');
  const policyPath = flags.text('audit-policy-file');
  if (path === '' || policyPath === '') return {ok: true, value: undefined};
  const policy = readYaml(files.read(policyPath) ?? '').documents[0]?.value as AuditSettings['policy'];
  if (path === '-') return {ok: true, value: {policy, write: line => daemon.print(line)}};
  const failed = prepare(files, path);
  if (failed !== undefined) return {ok: false, why: `ensureLogFile: ${failed}`};
  const log = new LogFile(files, {
    path,
    mostBytes: (flags.number('audit-log-maxsize') || USUAL_MEGABYTES) * MEGABYTE,
    mostKept: flags.number('audit-log-maxbackup') || Infinity,
    wall: daemon.wall,
  });
  return {ok: true, value: {policy, write: line => complain(daemon, path, log.append(`${line}\n`))}};
}

/** Why rules are none, in the words of the server; undefined for good ones. */
export function whyBadPolicy(policy: Fields): string | undefined {
  const errors = [
    ...listOf(policy['rules']).flatMap((rule, at) => (isFields(rule) ? badRule(root('rules').index(at), rule) : [])),
    ...badStages(root('omitStages'), policy['omitStages']),
  ];
  return errors.length === 0 ? undefined : aggregateText(errors);
}

function badRule(path: FieldPath, rule: Fields): FieldError[] {
  const {level, nonResourceURLs} = rule;
  const errors: FieldError[] = [];
  if (level === undefined || level === '') errors.push(required(path.child('level')));
  else if (!LEVELS.some(each => each === level)) errors.push(notSupported(path.child('level'), level, LEVELS.toSorted()));
  const urls = listOf(nonResourceURLs);
  const at = path.child('nonResourceURLs');
  if (urls.length > 0 && (listOf(rule['resources']).length > 0 || listOf(rule['namespaces']).length > 0))
    errors.push(invalid(at, urls, 'rules cannot apply to both regular resources and non-resource URLs'));
  for (const [n, url] of urls.entries()) {
    const why = whyBadUrl(String(url));
    if (why !== undefined) errors.push(invalid(at.index(n), url, why));
  }
  return [...errors, ...badStages(path.child('omitStages'), rule['omitStages'])];
}

function badStages(path: FieldPath, stages: unknown): FieldError[] {
  return listOf(stages).flatMap((stage, at) =>
    STAGES.some(each => each === stage) ? [] : [invalid(path.index(at), stage, `allowed stages are ${STAGES.join(',')}`)],
  );
}

function whyBadUrl(url: string): string | undefined {
  if (url === '*') return undefined;
  if (!url.startsWith('/')) return "non-resource URL rules must begin with a '/' character";
  return url.slice(0, -1).includes('*') ? "non-resource URL wildcards '*' must be the final character of the rule" : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Makes the file, with the folders that it lacks; why that cannot be. */
function prepare(files: Files, path: string): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const made = folder === '' || files.isFolder(folder) ? undefined : files.makeFolder(folder);
  if (made) return `mkdir ${folder}: ${goText(made)}`;
  const failed = files.append(path, '');
  return failed && `open ${path}: ${goText(failed)}`;
}

function complain(daemon: Daemon, path: string, failed: FileError | undefined): void {
  if (failed)
    daemon.print(`E metrics.go:110] Error in audit plugin 'log' affecting 1 audit events: write ${path}: ${goText(failed)}`);
}

function goText(error: FileError): string {
  return FILE_ERROR_TEXT[error].toLowerCase();
}

interface LogPlan {
  readonly path: string;
  readonly mostBytes: number;
  /** So many full ones stay. */
  readonly mostKept: number;
  readonly wall: () => number;
}

/** A file that is put aside when it is full. */
class LogFile {
  readonly #files: Files;
  readonly #plan: LogPlan;
  readonly #full: string[] = [];

  constructor(files: Files, plan: LogPlan) {
    this.#files = files;
    this.#plan = plan;
  }

  append(line: string): FileError | undefined {
    const {path, mostBytes} = this.#plan;
    if ((this.#files.info(path)?.size ?? 0) + line.length > mostBytes) this.#putAside();
    return this.#files.append(path, line);
  }

  #putAside(): void {
    const {path, mostKept, wall} = this.#plan;
    const [, base = path, ending = ''] = /^(.*?)(\.[^./]*)?$/.exec(path) ?? [];
    const aside = `${base}-${new Date(wall()).toISOString().slice(0, 23).replaceAll(':', '-')}${ending}`;
    this.#files.rename(path, aside);
    this.#full.push(aside);
    while (this.#full.length > mostKept) this.#files.remove(this.#full.shift() ?? '');
  }
}
