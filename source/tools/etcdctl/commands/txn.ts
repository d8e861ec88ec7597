// txn: comparisons, what is done when all hold, what is done when not; read from standard input, a part ends with an empty line.
import type {Compare, Operation, OperationAnswer, TransactionAnswer} from '../../../api/wire/etcd.ts';
import {readFlags} from '../../flags/pflags.ts';
import {headerFields, headerJson, print, type Command, type Context} from '../command.ts';
import {Ended, EXIT} from '../exit.ts';
import {pairFields, pairJson, pairText} from '../key-values.ts';
import {KEY_COMMANDS, keysOf, leaseId} from './keys.ts';

const TARGETS: Readonly<Record<string, Compare['target']>> = {
  ver: 'version',
  version: 'version',
  create: 'create',
  c: 'create',
  mod: 'mod',
  m: 'mod',
  val: 'value',
  value: 'value',
  lease: 'lease',
};

function comparison(line: string): Compare {
  const [, name = '', key = '', sign = '', text = ''] =
    /^\s*(\w+)\s*\(\s*"((?:[^"\\]|\\.)*)"\s*\)\s*(=|!=|<|>)\s*"((?:[^"\\]|\\.)*)"\s*$/.exec(line) ?? [];
  const target = TARGETS[name];
  if (name === '' || !target) throw new Ended(`malformed comparison: ${line}`, EXIT.input);
  const value = target === 'value' ? unquoted(text) : Number(text);
  if (typeof value === 'number' && !Number.isInteger(value)) throw new Ended(`invalid txn compare request: ${line}`, EXIT.input);
  return {key: unquoted(key), target, is: sign as Compare['is'], value};
}

function unquoted(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

function operation(line: string): Operation {
  const [name = '', ...rest] = wordsOf(line);
  const command = KEY_COMMANDS.find(each => each.path === name);
  const typed = readFlags(rest, command?.flags ?? []);
  if (!command || command.path === 'compact' || !typed.ok) throw new Ended(`invalid txn request: ${line}`, EXIT.input);
  const {words, flags} = typed;
  if (name === 'put') {
    const [key, value = ''] = words;
    if (key === undefined) throw new Ended(`invalid txn request: ${line}`, EXIT.input);
    const lease = leaseId(flags.text('lease'));
    return {kind: 'put', key, value, ...(lease ? {lease} : {})};
  }
  const keys = keysOf(words, flags, name);
  return name === 'del' ? {kind: 'delete', ...keys} : {kind: 'range', ...keys};
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) =>
    double === undefined ? (single ?? bare ?? '') : unquoted(double),
  );
}

/** The three parts of the input. */
function partsOf(text: string): readonly (readonly string[])[] {
  const parts: string[][] = [[], [], []];
  let part = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') part++;
    else parts[part]?.push(line);
  }
  return parts;
}

async function txn(context: Context): Promise<void> {
  const {process, client, flags} = context;
  if (flags.on('interactive')) await process.out('compares:\n');
  const [compares = [], successes = [], failures = []] = partsOf(await process.readAll(0));
  const answer = await client.must<TransactionAnswer>({
    kind: 'txn',
    compare: compares.map(comparison),
    success: successes.map(operation),
    failure: failures.map(operation),
  });
  return print(context, {
    simple: () => `${answer.succeeded ? 'SUCCESS' : 'FAILURE'}\n${answer.answers.map(each => `\n${simple(each)}`).join('')}`,
    json: () => ({
      header: headerJson(answer.header),
      succeeded: answer.succeeded || undefined,
      responses: answer.answers.length > 0 ? answer.answers.map(each => ({Response: json(each)})) : undefined,
    }),
    fields: () => `${headerFields(answer.header)}"Succeeded" : ${answer.succeeded}\n${answer.answers.map(fields).join('')}`,
  });
}

function simple(answer: OperationAnswer): string {
  if ('kvs' in answer) return answer.kvs.map(kv => pairText(kv)).join('');
  if ('deleted' in answer) return `${answer.deleted}\n`;
  return 'OK\n';
}

function json(answer: OperationAnswer): Record<string, unknown> {
  if ('kvs' in answer) {
    const {kvs, count} = answer;
    return {response_range: {header: {revision: answer.header.revision}, kvs: kvs.map(pairJson), count: count || undefined}};
  }
  if ('deleted' in answer) return {response_delete_range: {header: {revision: answer.header.revision}, deleted: answer.deleted}};
  return {response_put: {header: {revision: answer.header.revision}}};
}

function fields(answer: OperationAnswer): string {
  if ('kvs' in answer) return answer.kvs.map(kv => pairFields(kv)).join('');
  return 'deleted' in answer ? `"Deleted" : ${answer.deleted}\n` : '';
}

export const TXN_COMMAND: Command = {
  path: 'txn',
  usage: '[flags]',
  short: 'Txn processes all the requests in one transaction',
  flags: [{name: 'interactive', short: 'i', type: 'bool'}],
  run: txn,
};
