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
  const {name, loaded, argv} = state;
  const dot = state.active === 'failed' ? '×' : state.active === 'inactive' ? '○' : '●';
  const title = loaded?.state === 'masked' ? `${name}.service` : (loaded?.description ?? `${name}.service`);
  const out = [`${dot} ${name}.service - ${title}`, `     Loaded: ${loadedText(state)}`];
  const dropIns = loaded?.dropIns ?? [];
  if (dropIns.length > 0) {
    const folder = dropIns[0]?.replace(/\/[^/]*$/, '') ?? '';
    out.push(`    Drop-In: ${folder}`, `             └─${dropIns.map(path => path.replace(/^.*\//, '')).join(', ')}`);
  }
  out.push(`     Active: ${activeText(state)} since ${longTime(state.since)}; ${timeSpan(now - state.since)} ago`);
  if (state.pid === undefined && state.mainPid !== undefined && state.exitCode !== undefined)
    out.push(`    Process: ${state.mainPid} ExecStart=${loaded?.execStart ?? ''} (${exitWords(state.exitCode)})`);
  const docs = /^Documentation=(.*)$/m.exec(files.read(loaded?.path ?? '') ?? '')?.[1];
  if (docs) out.push(`       Docs: ${docs}`);
  if (state.pid !== undefined) {
    const program = argv[0]?.replace(/^.*\//, '') ?? name;
    out.push(`   Main PID: ${state.pid} (${program})`);
    out.push(`     CGroup: /system.slice/${name}.service`, `             └─${state.pid} ${argv.join(' ')}`);
  } else if (state.mainPid !== undefined && state.exitCode !== undefined)
    out.push(`   Main PID: ${state.mainPid} (${exitWords(state.exitCode)})`);
  const said = machine.journal.entries.filter(line => bareName(line.unit) === name);
  const short = FORMS['short'];
  const last = lines > 0 && short ? said.slice(-lines).map(line => short(line, machine.name)) : [];
  if (last.length > 0) out.push('', ...last);
  return `${out.join('\n')}\n`;
}

function loadedText({name, loaded, enabled}: ServiceState): string {
  if (!loaded) return `not-found (Reason: Unit ${name}.service not found.)`;
  if (loaded.state === 'masked') return `masked (Reason: Unit ${name}.service is masked.)`;
  const place = `(${loaded.path}; ${enabled ? 'enabled' : 'disabled'}; preset: enabled)`;
  return loaded.state === 'loaded'
    ? `loaded ${place}`
    : `bad-setting (Reason: Unit ${name}.service has a bad unit file setting.)`;
}

function activeText({active, sub, exitCode = 0}: ServiceState): string {
  const result =
    active === 'failed' || active === 'activating'
      ? ` (Result: ${exitCode > 128 && exitCode !== 203 ? 'signal' : 'exit-code'})`
      : '';
  return `${active} (${sub})${result}`;
}

const SIGNALS: Readonly<Record<number, string>> = {6: 'ABRT', 9: 'KILL', 11: 'SEGV', 15: 'TERM'};

/** How a process ended: `code=exited, status=1/FAILURE`. */
export function exitWords(code: number): string {
  if (code === 203) return 'code=exited, status=203/EXEC';
  if (code > 128) return `code=killed, signal=${SIGNALS[code - 128] ?? 'KILL'}`;
  return `code=exited, status=${code}${code === 0 ? '/SUCCESS' : code === 1 ? '/FAILURE' : code === 2 ? '/INVALIDARGUMENT' : ''}`;
}

/** Does it come up with the machine? As `systemctl is-enabled` says it. */
export function fileState({loaded, enabled}: ServiceState): string {
  return loaded?.state === 'masked' ? 'masked' : enabled ? 'enabled' : 'disabled';
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
    Description: state?.loaded?.description ?? `${name}.service`,
    LoadState: state?.loaded?.state ?? 'not-found',
    ActiveState: state?.active ?? 'inactive',
    SubState: state?.sub ?? 'dead',
    FragmentPath: state?.loaded?.path ?? '',
    DropInPaths: state?.loaded?.dropIns.join(' ') ?? '',
    UnitFileState: state ? fileState(state) : '',
    UnitFilePreset: state ? 'enabled' : '',
    MainPID: String(state?.pid ?? 0),
    ExecMainPID: String(state?.mainPid ?? 0),
    ExecMainStatus: String(state?.exitCode ?? 0),
    NRestarts: String(state?.restarts ?? 0),
    Result: state?.active === 'failed' ? 'exit-code' : 'success',
    ExecStart: state?.loaded?.execStart
      ? `{ path=${state.loaded.execStart.split(' ')[0]} ; argv[]=${state.loaded.execStart} }`
      : '',
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
  const rows = states.map(({name, loaded, active, sub}) => [
    `${name}.service`,
    loaded?.state ?? 'not-found',
    active,
    sub,
    loaded?.description ?? '',
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
  const rows = states.flatMap(state => (state ? [[`${state.name}.service`, fileState(state), 'enabled'] as const] : []));
  const width = Math.max(9, ...rows.map(([name]) => name.length));
  const text = [['UNIT FILE', 'STATE', 'PRESET'] as const, ...rows].map(
    ([name, state, preset]) => `${name.padEnd(width)} ${state.padEnd(8)} ${preset}`,
  );
  return `${[...text, '', `${rows.length} unit files listed.`].join('\n')}\n`;
}
