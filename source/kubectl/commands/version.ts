// `kubectl version`: which version this is, and which one the server is.
import {printYaml} from '../../api/yaml/print.ts';
import {fail, Failure} from '../failure.ts';
import {typedJson} from '../print/json.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from './command.ts';

const CLIENT = {
  major: '1',
  minor: '35',
  gitVersion: 'v1.35.2',
  gitCommit: 'fdc9d74cbf2da6754ebf81d56f80ae2948cd6425',
  gitTreeState: 'clean',
  buildDate: '2026-02-26T20:05:34Z',
  goVersion: 'go1.25.7',
  compiler: 'gc',
  platform: 'linux/amd64',
};
const KUSTOMIZE = 'v5.7.1';

export const version: Command = {
  path: 'kubectl version',
  short: 'Show the versions of kubectl and of the server',
  examples: ['kubectl version', 'kubectl version --client -o yaml'],
  does: [...COMMON_FLAGS, 'client', 'output'],
  run,
};

interface Version extends Readonly<Record<string, string>> {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
}

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (args.length > 0) return fail(`extra arguments: [${args.join(' ')}]`);
  const output = flags.text('output');
  if (!['', 'yaml', 'json'].includes(output)) return fail(`--output must be 'yaml' or 'json'`);
  const server = flags.on('client') ? undefined : await askServer(session);
  const known = server instanceof Failure ? undefined : server;
  await session.out(versionText(output, known));
  if (server instanceof Failure) return server;
  if (server && Math.abs(Number.parseInt(server.minor, 10) - Number(CLIENT.minor)) > 1) {
    await session.err(
      `WARNING: version difference between client (${CLIENT.major}.${CLIENT.minor}) and server (${server.major}.${server.minor}) exceeds the supported minor version skew of +/-1\n`,
    );
  }
  return undefined;
}

async function askServer(session: Session): Promise<Version | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const answer = await api.ask<Version | string>({method: 'GET', path: '/version', query: {timeout: '32s'}}, {timeoutMs: 32_000});
  if (answer instanceof Failure) {
    if (!answer.is('Unauthorized') || answer.cause.type !== 'status') return answer;
    return new Failure({
      type: 'status',
      status: {...answer.cause.status, message: 'the server has asked for the client to provide credentials'},
    });
  }
  return typeof answer === 'string' ? (JSON.parse(answer) as Version) : answer;
}

/** Why the server is not of this version, for those who ask for one of the same. */
export async function mismatch(session: Session): Promise<Failure | undefined> {
  const server = await askServer(session);
  if (server instanceof Failure) return server;
  if (server.gitVersion === CLIENT.gitVersion && server.gitCommit === CLIENT.gitCommit) return undefined;
  return fail(`server version (&${structText(server)}) differs from client version (${structText(CLIENT)})`);
}

/** As Go prints the struct. */
function structText(version: Readonly<Record<string, string>>): string {
  const fields = (
    'major minor emulationMajor emulationMinor minCompatibilityMajor minCompatibilityMinor gitVersion gitCommit gitTreeState buildDate ' +
    'goVersion compiler platform'
  ).split(' ');
  const texts = fields.map(name => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}:${JSON.stringify(version[name] ?? '')}`);
  return `version.Info{${texts.join(', ')}}`;
}

function versionText(output: string, server: Version | undefined): string {
  const all = {clientVersion: CLIENT, kustomizeVersion: KUSTOMIZE, ...(server ? {serverVersion: server} : {})};
  if (output === 'json') return `${typedJson(all, 2)}\n`;
  if (output === 'yaml') return `${printYaml(all)}\n`;
  return `Client Version: ${CLIENT.gitVersion}\nKustomize Version: ${KUSTOMIZE}\n${server ? `Server Version: ${server.gitVersion}\n` : ''}`;
}
