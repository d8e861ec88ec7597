// Stories: what is typed and what is said, as text. A story is a file of `texts/`: its head says on which cluster it plays
// (`preset solo`, `static solo` where kubelets run the control plane, `static 5` with as many machines for it, `sandbox` for the cluster of one's own with all add-ons, or
// `level wrong-crate`), then lines that begin with `$ ` are typed by the player, those that begin with `cp-1$ ` by root on that machine, `advance 8s` lets time pass,
// `fault stop kcm cp-1` is what a machine does; all other lines are the exact output. Everything is deterministic; masked are
// only uids, and microseconds in logs, which any other request of the cluster shifts. `npm run rewrite` writes what is said now into the files: commit the difference only if you can explain it.
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {ownCourse} from '../../source/cli/level-files.ts';
import {openShell, type LineShell} from '../../source/game/line-shell.ts';
import type {NodeDescription} from '../../source/world/description.ts';
import {PRESETS, isPreset} from '../../source/world/presets.ts';

const folder = resolve(import.meta.dirname, 'texts');
const rewrites = process.env['CRASHLOOP_REWRITE'] === '1';
const hostNow = () => performance.now();

/** That many machines with a control plane, and two workers. */
function controlPlanes(count: number): NodeDescription[] {
  const [first, , , ...workers] = PRESETS.ha;
  const named = Array.from({length: count}, (_, at): NodeDescription[] => {
    const name = `cp-${at + 1}`;
    return first
      ? [{...first, name, address: `10.0.0.1${at + 1}`, labels: {...first.labels, 'kubernetes.io/hostname': name}}]
      : [];
  });
  return [...named.flat(), ...workers.slice(0, 2)];
}

async function open(head: string): Promise<LineShell> {
  const [kind = '', name = ''] = head.split(' ');
  if (kind === 'preset' && isPreset(name)) return openShell({hostNow, nodes: PRESETS[name]});
  if (kind === 'static' && isPreset(name)) return openShell({hostNow, nodes: PRESETS[name], staticPods: true});
  if (kind === 'static' && Number(name) > 0) return openShell({hostNow, nodes: controlPlanes(Number(name)), staticPods: true});
  if (kind === 'sandbox') return openShell({hostNow});
  const entry =
    kind === 'level' ? ownCourse().entries.find(({number, level}) => number === name || level.id === name) : undefined;
  if (!entry) throw new Error(`a story begins with "preset NAME" or "level NAME", not ${JSON.stringify(head)}`);
  return openShell({hostNow, level: entry.level});
}

function masked(text: string): string {
  const told = text.replaceAll(/^([IWEF]\d{4} \d\d:\d\d:\d\d\.)\d{6}/gm, '$1……');
  return told.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, uid => uid.replaceAll(/[\da-f]/g, 'x'));
}

/** Does one line of a story; what it says. */
async function perform(shell: LineShell, line: string): Promise<string> {
  const [, host, typed] = /^([\w-]+)?\$ (.*)$/.exec(line) ?? [];
  if (typed !== undefined) {
    const {out, err, code} = await shell.say(typed, host);
    return `${masked(out + err)}${code === 0 ? '' : `exit code ${code}\n`}`;
  }
  const [verb = '', ...rest] = line.split(' ');
  const request = verb === 'advance' ? {advance: Number.parseFloat(rest[0] ?? '')} : {fault: rest.join(' ')};
  const answer = (await shell.answer(JSON.stringify(request))) as {out?: string; error?: string};
  return answer.error === undefined ? masked(answer.out ?? '') : `${answer.error}\n`;
}

async function play(text: string): Promise<string> {
  const lines = text.split('\n');
  const start = lines.findIndex(line => line !== '' && !line.startsWith('#'));
  const shell = await open(lines[start] ?? '');
  let told = `${lines.slice(0, start + 1).join('\n')}\n`;
  for (const line of lines.slice(start + 1)) {
    if (!/^([\w-]*\$ |advance |fault )/.test(line)) continue;
    told += `\n${line}\n${await perform(shell, line)}`;
  }
  return told;
}

test.each(readdirSync(folder).filter(name => name.endsWith('.txt')))('%s', async name => {
  const path = join(folder, name);
  const text = readFileSync(path, 'utf8');
  const told = await play(text);
  if (rewrites) writeFileSync(path, told);
  else expect(told).toBe(text);
});
