// What systemctl prints of a service, in systemd's forms.
import type {Files} from '../../sim/files.ts';
import {FORMS} from './journal-line.ts';
import {bareName, longTime, timeSpan, type ServiceMachine, type ServiceState} from './services.ts';

export interface StatusFacts {
  readonly files: Files;
  readonly now: number;
  /** How many lines of the journal. */
  readonly lines: number;
}

/** `systemctl status`. */
export function statusText(machine: ServiceMachine, state: ServiceState, {files, now, lines}: StatusFacts): string {
  const {name, description, file, command} = state.description;
  const dot = state.active === 'active' ? '●' : state.active === 'failed' ? '×' : state.active === 'activating' ? '●' : '○';
  const out = [`${dot} ${name}.service - ${description}`];
  const enabled = state.enabled ? 'enabled' : 'disabled';
  out.push(`     Loaded: loaded (${file}; ${enabled}; preset: enabled)`);
  const more = (files.list(`${file}.d`) ?? []).filter(each => each.endsWith('.conf'));
  if (more.length > 0) out.push(`    Drop-In: ${file}.d`, `             └─${more.join(', ')}`);
  out.push(`     Active: ${activeText(state)} since ${longTime(state.since)}; ${timeSpan(now - state.since)} ago`);
  if (state.pid === undefined && state.mainPid !== undefined && state.exitCode !== undefined)
    out.push(`    Process: ${state.mainPid} ExecStart=${command()} (${exitWords(state.exitCode)})`);
  const docs = /^Documentation=(.*)$/m.exec(files.read(file) ?? '')?.[1];
  if (docs) out.push(`       Docs: ${docs}`);
  if (state.pid !== undefined) {
    const program = command().split(' ')[0]?.replace(/^.*\//, '') ?? name;
    out.push(`   Main PID: ${state.pid} (${program})`);
    out.push(`     CGroup: /system.slice/${name}.service`, `             └─${state.pid} ${command()}`);
  } else if (state.mainPid !== undefined && state.exitCode !== undefined)
    out.push(`   Main PID: ${state.mainPid} (${exitWords(state.exitCode)})`);
  const said = machine.journal.entries.filter(line => bareName(line.unit) === name);
  const short = FORMS['short'];
  const last = lines > 0 && short ? said.slice(-lines).map(line => short(line, machine.name)) : [];
  if (last.length > 0) out.push('', ...last);
  return `${out.join('\n')}\n`;
}

function activeText({active, sub, exitCode = 0}: ServiceState): string {
  const result = active === 'failed' || active === 'activating' ? ` (Result: ${exitCode > 128 ? 'signal' : 'exit-code'})` : '';
  return `${active} (${sub})${result}`;
}

const SIGNALS: Readonly<Record<number, string>> = {6: 'ABRT', 9: 'KILL', 11: 'SEGV', 15: 'TERM'};

/** How a process ended: `code=exited, status=1/FAILURE`. */
export function exitWords(code: number): string {
  if (code > 128) return `code=killed, signal=${SIGNALS[code - 128] ?? 'KILL'}`;
  return `code=exited, status=${code}${code === 0 ? '/SUCCESS' : code === 1 ? '/FAILURE' : code === 2 ? '/INVALIDARGUMENT' : ''}`;
}

/** `systemctl show`. */
export function showText(
  name: string,
  state: ServiceState | undefined,
  wanted: readonly string[] | undefined,
  valueOnly: boolean,
): string {
  const properties: Record<string, string> = {
    Id: `${name}.service`,
    Names: `${name}.service`,
    Description: state?.description.description ?? `${name}.service`,
    LoadState: state ? 'loaded' : 'not-found',
    ActiveState: state?.active ?? 'inactive',
    SubState: state?.sub ?? 'dead',
    FragmentPath: state?.description.file ?? '',
    UnitFileState: state ? (state.enabled ? 'enabled' : 'disabled') : '',
    UnitFilePreset: state ? 'enabled' : '',
    MainPID: String(state?.pid ?? 0),
    ExecMainPID: String(state?.mainPid ?? 0),
    ExecMainStatus: String(state?.exitCode ?? 0),
    NRestarts: String(state?.restarts ?? 0),
    Result: state?.active === 'failed' ? 'exit-code' : 'success',
    ExecStart: state ? `{ path=${state.description.command().split(' ')[0]} ; argv[]=${state.description.command()} }` : '',
    StateChangeTimestamp: state ? longTime(state.since) : '',
    ActiveEnterTimestamp: state?.active === 'active' ? longTime(state.since) : '',
  };
  const names = wanted ?? Object.keys(properties).filter(each => properties[each] !== '');
  return names
    .filter(each => each in properties)
    .map(each => `${valueOnly ? '' : `${each}=`}${properties[each]}\n`)
    .join('');
}

/** `systemctl list-units`. */
export function unitsTable(states: readonly ServiceState[], bare: boolean): string {
  const rows = states.map(({description: {name, description}, active, sub}) => [
    `${name}.service`,
    'loaded',
    active,
    sub,
    description,
  ]);
  const head = ['UNIT', 'LOAD', 'ACTIVE', 'SUB', 'DESCRIPTION'];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(row => row[column]?.length ?? 0)));
  const line = (row: readonly string[], mark: string) =>
    `${mark} ${row.map((cell, column) => (column === 4 ? cell : cell.padEnd(widths[column] ?? 0))).join(' ')}`.trimEnd();
  const body = rows.map(row => line(row, row[2] === 'failed' ? '●' : ' '));
  if (bare) return body.map(text => `${text}\n`).join('');
  const legend =
    rows.length === 0
      ? []
      : [
          'Legend: LOAD   → Reflects whether the unit definition was properly loaded.',
          '        ACTIVE → The high-level unit activation state, i.e. generalization of SUB.',
          '        SUB    → The low-level unit activation state, values depend on unit type.',
          '',
        ];
  return `${[line(head, ' '), ...body, '', ...legend, `${rows.length} loaded units listed.`].join('\n')}\n`;
}

/** `systemctl list-unit-files`. */
export function unitFilesTable(states: readonly (ServiceState | undefined)[]): string {
  const rows = states.flatMap(state =>
    state ? [[`${state.description.name}.service`, state.enabled ? 'enabled' : 'disabled', 'enabled'] as const] : [],
  );
  const width = Math.max(9, ...rows.map(([name]) => name.length));
  const text = [['UNIT FILE', 'STATE', 'PRESET'] as const, ...rows].map(
    ([name, state, preset]) => `${name.padEnd(width)} ${state.padEnd(8)} ${preset}`,
  );
  return `${[...text, '', `${rows.length} unit files listed.`].join('\n')}\n`;
}
