// kubectl, for players who have none of their own: a program that speaks to the API server as the real one does.
//
// The command line is read for all commands alike (flags/); a command is a file under commands/; what it asks goes through
// request/; what it prints is made in print/ and describe/. Commands and flags of the real kubectl that are not here yet are
// refused in a sentence that says so.
import type {Process} from '../sim/process/process.ts';
import {COMMANDS} from './commands/index.ts';
import {mismatch} from './commands/version.ts';
import {COMMON_FLAGS, type Command, type Outcome} from './commands/command.ts';
import {complete, isCompletion} from './completion/complete.ts';
import {loadConfig} from './config/kubeconfig.ts';
import {fail, Failure, failRaw, failureText, failUsage} from './failure.ts';
import {commandsBelow, type CommandSpec} from './flags/catalogue.ts';
import {helpText, usageText} from './flags/help.ts';
import {findIn, findLine, parseCommandLine} from './flags/parse.ts';
import {findCommand} from './flags/catalogue.ts';
import {runPlugin} from './plugins.ts';
import {printerOf} from './print/printer.ts';
import {Session} from './session.ts';

/** Virtual CPU time that kubectl needs to start. */
const START_COST_MS = 4;

/** They have formats of their own. */
const OWN_PRINTERS = ['kubectl get', 'kubectl api-resources'];

/** What `--profile` may look at; nothing is looked at here. */
const PROFILES = ['', 'none', 'cpu', 'trace', 'heap', 'goroutine', 'threadcreate', 'block', 'mutex', 'allocs'];

/** Groups that show what they have to everyone, and call it no failure. */
const CALM_GROUPS = ['kubectl certificate', 'kubectl alpha'];

/** The program. */
export async function kubectl(process: Process): Promise<number> {
  await process.cpu(START_COST_MS);
  const outcome = await runLine(process, process.argv.slice(1));
  if (!(outcome instanceof Failure)) return outcome ?? 0;
  const {text, code} = failureText(outcome);
  await process.out(outcome.printed);
  await process.err(text);
  return code;
}

async function runLine(process: Process, words: readonly string[]): Promise<Outcome> {
  if (isCompletion(words)) return complete(process, words);
  const plugin = await pluginFor(process, words);
  if (plugin !== undefined) return plugin;
  const line = parseCommandLine(words);
  if (line instanceof Failure) return line;
  const session = new Session(process, line.values);
  const {command: spec} = line;
  await session.err(line.values.notices.join(''));
  const command = COMMANDS.find(one => one.path === spec.path);
  if (line.values.on('help') || spec.path === 'kubectl') return showHelp(session, spec, 'out');
  if (spec.path === 'kubectl help') return showTopic(session, spec);
  if (!command) return withoutCommand(session, spec);
  const outcome = await runCommand(session, command, spec);
  if (command.failureCode === undefined || !(outcome instanceof Failure)) return outcome;
  return failRaw(failureText(outcome).text, command.failureCode);
}

/** A plugin is for what is no command of kubectl's own; of commands only `create` has some below it. */
async function pluginFor(process: Process, words: readonly string[]): Promise<Outcome> {
  const found = findLine(words);
  if (found instanceof Failure) return runPlugin(process, words);
  const isCreate = found.command.path === 'kubectl create' && words[0] === 'create';
  return isCreate ? runPlugin(process, words, 2) : undefined;
}

async function runCommand(session: Session, command: Command, spec: CommandSpec): Promise<Outcome> {
  const profile = session.flags.text('profile');
  if (command.path !== 'kubectl debug' && !PROFILES.includes(profile)) return fail(`unknown profile '${profile}'`);
  const undone = session.flags.given.find(name => !command.does.includes(name) && !COMMON_FLAGS.includes(name));
  if (undone !== undefined) return fail(`this kubectl does not do --${undone} of "${command.path}" yet`);
  const missing = (command.required ?? []).filter(name => !session.flags.has(name));
  if (missing.length > 0) return fail(`required flag(s) ${missing.map(name => `"${name}"`).join(', ')} not set`);
  if (session.flags.has('filename') && session.flags.has('kustomize')) return fail('only one of -f or -k can be specified');
  const wrong = command.check?.(session);
  if (wrong) return wrong;
  const printer = command.does.includes('template') && !OWN_PRINTERS.includes(spec.path) ? printerOf(session) : undefined;
  if (printer instanceof Failure) return printer;
  if (session.flags.has('v')) await session.trace.start(loadedFiles(session));
  const other = session.flags.on('match-server-version') ? await mismatch(session) : undefined;
  if (other) return other;
  const outcome = await command.run(session);
  if (outcome instanceof Failure && outcome.cause.type === 'status') await session.trace.refusal(outcome.cause.status);
  if (outcome instanceof Failure || !session.flags.on('warnings-as-errors') || session.warnings === 0) return outcome;
  return fail(session.warnings === 1 ? '1 warning received' : `${session.warnings} warnings received`);
}

function loadedFiles({process, flags}: Session): readonly string[] {
  const config = loadConfig(process, flags.global('kubeconfig'));
  return config instanceof Failure ? [] : config.files;
}

/** A group of commands shows what it has; a command that we do not have says so. */
async function withoutCommand(session: Session, spec: CommandSpec): Promise<Outcome> {
  if (spec.path !== 'kubectl alpha' && commandsBelow(spec.path).length === 0)
    return fail(`this kubectl does not do "${spec.path}" yet`);
  if (CALM_GROUPS.includes(spec.path)) return showHelp(session, spec, 'out');
  if (session.args.length > 0) return failUsage(spec.path, `unknown command ${JSON.stringify(session.args.join(' '))}`);
  await showHelp(session, spec, spec.path === 'kubectl rollout' ? 'out' : 'err');
  return failRaw('');
}

/** `kubectl help get`. Below a known command nobody minds what else is asked for. */
async function showTopic(session: Session, help: CommandSpec): Promise<Outcome> {
  const root = findCommand('kubectl') ?? help;
  const {command} = findIn(root, session.args);
  if (command !== root || session.args.length === 0) return showHelp(session, command, 'out');
  const topics = session.args.map(word => `\`${word}\``).join(' ');
  await session.err(`Unknown help topic [${topics}]\n\n\n${usageText(root, COMMANDS)}`);
  return undefined;
}

async function showHelp(session: Session, spec: CommandSpec, stream: 'out' | 'err'): Promise<undefined> {
  await session[stream](helpText(spec, COMMANDS));
}
