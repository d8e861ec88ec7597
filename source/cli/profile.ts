// Progress and settings on the host's disk, through conf. A file that is broken is moved aside, and that is said.
import {existsSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import Conf from 'conf';
import {NO_PROGRESS, readProgress, type Progress} from '../game/progress.ts';
import type {Run} from '../game/run.ts';

/** One player's file. */
export interface Profile {
  readonly path: string;
  load(): Progress;
  /** Writes it whole, atomically. */
  save(progress: Progress): void;
  /** Writes a run that was won beside it; answers the name under which `crashloop replay` finds it. */
  keepRun(run: Run): string;
  /** What had to be said when it was opened: that a broken file was moved aside. */
  readonly notice: string | undefined;
}

const BASE = {projectName: 'crashloop', projectSuffix: '', clearInvalidConfig: false};

/** Opens the file of a player; `name` keeps several on one machine apart. */
export function openProfile(name = 'progress'): Profile {
  const options = {...BASE, configName: name, ...folderOption()};
  const notice = setAside(pathOf(options));
  const store = new Conf<{progress?: unknown}>(options);
  return {
    path: store.path,
    load: () => readProgress(store.get('progress')) ?? NO_PROGRESS,
    save: progress => store.set('progress', JSON.parse(JSON.stringify(progress)) as unknown),
    keepRun(run) {
      const folder = runsFolder(store.path);
      mkdirSync(folder, {recursive: true});
      const path = freeName(join(folder, `${name === 'progress' ? '' : `${name}-`}${run.level}`), '.json');
      writeFileSync(`${path}.new`, `${JSON.stringify(run)}\n`, {mode: 0o600});
      renameSync(`${path}.new`, path);
      return basename(path, '.json');
    },
    notice,
  };
}

/** The profile that `--profile` names, for commands that draw nothing: what has to be said of it goes to stderr. */
export function profileOf({profile: name}: Readonly<Record<string, unknown>>): Profile {
  const profile = openProfile(typeof name === 'string' ? name : undefined);
  if (profile.notice !== undefined) process.stderr.write(`${profile.notice}\n`);
  return profile;
}

/** The file of a run that was kept under a name. */
export function keptRun(name: string): string {
  return join(runsFolder(pathOf({...BASE, configName: 'progress', ...folderOption()})), `${name}.json`);
}

/** Several players' runs lie in one folder. */
function runsFolder(progress: string): string {
  return join(dirname(progress), 'runs');
}

/** Tests and workshops may keep the files elsewhere. */
function folderOption(): {cwd?: string} {
  const folder = process.env['CRASHLOOP_HOME'];
  return folder ? {cwd: folder} : {};
}

function pathOf(options: {configName: string}): string {
  try {
    return new Conf(options as ConstructorParameters<typeof Conf>[0]).path;
  } catch {
    // conf reads the file when it is made, and throws where that is no JSON; a name that no file has gives the folder.
    const beside = new Conf({...options, configName: `${options.configName}.path`} as ConstructorParameters<typeof Conf>[0]).path;
    return beside.replace(/\.path\.json$/, '.json');
  }
}

function setAside(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const whole = JSON.parse(readFileSync(path, 'utf8')) as {progress?: unknown};
    if (whole.progress === undefined || readProgress(whole.progress)) return undefined;
  } catch {
    // Not JSON at all: moved aside like any other file that is no progress.
  }
  const aside = freeName(`${path}.broken`);
  renameSync(path, aside);
  return `Your progress file was damaged. It is kept as ${aside}; the game begins anew.`;
}

function freeName(path: string, ending = ''): string {
  for (let n = 1; ; n++) {
    const name = `${path}${n === 1 ? '' : `-${n}`}${ending}`;
    if (!existsSync(name)) return name;
  }
}
