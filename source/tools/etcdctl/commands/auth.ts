// auth, role and user: etcd's own authentication.
import type {AuthAnswer, AuthChange, Permission} from '../../../api/wire/etcd-auth.ts';
import {endOfPrefix} from '../../../api/wire/etcd.ts';
import {INTERRUPTED, type Process} from '../../../sim/process/process.ts';
import {headerJson, print, type Command, type Context} from '../command.ts';
import {badArgument, Ended} from '../exit.ts';

const ROOT = 'root';
const FROM_KEY = '\0';
const RANGE_FLAGS = [
  {name: 'prefix', type: 'bool'},
  {name: 'from-key', type: 'bool'},
] as const;

/** So many words, or the sentence that says what was wanted. */
function wordsOf({words}: Context, counts: readonly number[], wanted: string): readonly string[] {
  if (!counts.includes(words.length)) throw badArgument(wanted);
  return words;
}

function change(context: Context, request: AuthChange, says: string): Promise<void> {
  return context.client
    .must<AuthAnswer>(request)
    .then(answer => print(context, {simple: () => `${says}\n`, json: () => ({header: headerJson(answer.header)})}));
}

async function status(context: Context): Promise<void> {
  const {header, enabled = false, authRevision} = await context.client.must<AuthAnswer>({kind: 'auth-status'});
  return print(context, {
    simple: () => `Authentication Status: ${enabled}\nAuthRevision: ${authRevision}\n`,
    json: () => ({header: headerJson(header), ...(enabled ? {enabled} : {}), authRevision}),
  });
}

/** A root without its role gets it first. */
async function enable(context: Context): Promise<void> {
  wordsOf(context, [0], 'auth enable command does not accept any arguments');
  const {client, process} = context;
  for (;;) {
    const asked = await client.ask({kind: 'auth-enable'});
    if (asked.ok) break;
    if (!asked.message.includes('root user does not have root role')) throw new Ended(asked.message);
    const made = await client.ask({kind: 'role-add', name: ROOT});
    if (!made.ok && !made.message.includes('already exists')) throw new Ended(made.message);
    await client.must({kind: 'user-grant', name: ROOT, role: ROOT});
  }
  await process.out('Authentication Enabled\n');
}

async function disable(context: Context): Promise<void> {
  wordsOf(context, [0], 'auth disable command does not accept any arguments');
  await context.client.must({kind: 'auth-disable'});
  await context.process.out('Authentication Disabled\n');
}

function names(kind: 'users' | 'roles') {
  return async (context: Context): Promise<void> => {
    wordsOf(context, [0], `${kind.slice(0, -1)} list command requires no arguments`);
    const {header, names: found = []} = await context.client.must<AuthAnswer>({kind});
    return print(context, {
      simple: () => found.map(name => `${name}\n`).join(''),
      json: () => ({header: headerJson(header), ...(found.length > 0 ? {[kind]: found} : {})}),
    });
  };
}

/** A change that takes one name. */
function onName(kind: 'user-delete' | 'role-add' | 'role-delete', wanted: string, says: (name: string) => string) {
  return (context: Context): Promise<void> => {
    const [name = ''] = wordsOf(context, [1], wanted);
    return change(context, {kind, name}, says(name));
  };
}

async function addUser(context: Context): Promise<void> {
  const {flags, process} = context;
  const [text = ''] = wordsOf(context, [1], 'user add command requires user name as its argument');
  const name = text.includes(':') ? text.slice(0, text.indexOf(':')) : text;
  if (flags.on('no-password')) return change(context, {kind: 'user-add', name}, `User ${name} created`);
  let password = flags.has('new-user-password') ? flags.text('new-user-password') : text.slice(name.length + 1);
  if (!flags.has('new-user-password') && !text.includes(':'))
    password = await newPassword(process, name, flags.text('interactive') !== 'false');
  if (name === '') throw badArgument('empty user name is not allowed');
  return change(context, {kind: 'user-add', name, password}, `User ${name} created`);
}

async function changePassword(context: Context): Promise<void> {
  const [name = ''] = wordsOf(context, [1], 'user passwd command requires user name as its argument');
  const password = await newPassword(context.process, name, context.flags.text('interactive') !== 'false');
  return change(context, {kind: 'user-passwd', name, password}, 'Password updated');
}

/** Asks twice who types, or reads the one line that was piped in. */
async function newPassword(process: Process, name: string, interactive: boolean): Promise<string> {
  if (!interactive) return readPassword(process);
  const first = await ask(process, `Password of ${name}: `);
  const second = await ask(process, `Type password of ${name} again for confirmation: `);
  if (first !== second) throw badArgument('given passwords are different');
  return first;
}

async function ask(process: Process, question: string): Promise<string> {
  await process.out(question);
  if (!process.streams.get(0)?.isTerminal) throw badArgument('failed to ask password: inappropriate ioctl for device.');
  const word = await readPassword(process);
  await process.out('\n');
  return word;
}

async function readPassword(process: Process): Promise<string> {
  let text = '';
  while (!text.includes('\n')) {
    const part = await process.read(0);
    if (part === INTERRUPTED) continue;
    if (part === null) break;
    text += part;
  }
  return text.split('\n')[0] ?? '';
}

async function getUser(context: Context): Promise<void> {
  const [name = ''] = wordsOf(context, [1], 'user get command requires user name as its argument');
  const {client, flags, process} = context;
  const {header, names: roles = []} = await client.must<AuthAnswer>({kind: 'user-get', name});
  if (!flags.on('detail'))
    return print(context, {
      simple: () => `User: ${name}\nRoles:${roles.map(role => ` ${role}`).join('')}\n`,
      json: () => ({header: headerJson(header), ...(roles.length > 0 ? {roles} : {})}),
    });
  await process.out(`User: ${name}\n`);
  for (const role of roles) {
    const {permissions = []} = await client.must<AuthAnswer>({kind: 'role-get', name: role});
    await process.out(`\n${roleText(role, permissions)}`);
  }
}

function onRole(kind: 'user-grant' | 'user-revoke') {
  const [wanted, says] =
    kind === 'user-grant'
      ? ['user grant command requires user name and role name as its argument', 'granted to']
      : ['user revoke-role requires user name and role name as its argument', 'revoked from'];
  return (context: Context): Promise<void> => {
    const [name = '', role = ''] = wordsOf(context, [2], wanted);
    return change(context, {kind, name, role}, `Role ${role} is ${says} user ${name}`);
  };
}

async function getRole(context: Context): Promise<void> {
  const [name = ''] = wordsOf(context, [1], 'role get command requires role name as its argument');
  const {header, permissions = []} = await context.client.must<AuthAnswer>({kind: 'role-get', name});
  return print(context, {
    simple: () => roleText(name, permissions),
    json: () => ({header: headerJson(header), ...(permissions.length > 0 ? {perm: permissions.map(permissionJson)} : {})}),
  });
}

function permissionJson({type, key, end}: Permission): object {
  const number = {read: undefined, write: 1, readwrite: 2}[type];
  const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
  return {permType: number, key: bytes(key), ...(end === undefined ? {} : {range_end: bytes(end)})};
}

function roleText(name: string, permissions: readonly Permission[]): string {
  const everything = name === ROOT && permissions.length === 0;
  const lines = (type: 'read' | 'write'): string =>
    everything
      ? '\t[, <open ended>\n'
      : permissions
          .filter(each => each.type === type || each.type === 'readwrite')
          .map(rangeText)
          .join('');
  return `Role ${name}\nKV Read:\n${lines('read')}KV Write:\n${lines('write')}`;
}

function rangeText({key, end}: Permission): string {
  if (end === undefined) return `\t${key}\n`;
  const range = end === FROM_KEY ? `[${key}, <open ended>` : `[${key}, ${end})`;
  return `\t${range}${key !== '' && endOfPrefix(key) === end ? ` (prefix ${key})` : ''}\n`;
}

/** The keys of a permission, by words and flags. */
function rangeOf({flags}: Context, key: string, end: string | undefined): {key: string; end?: string} {
  const isFrom = flags.on('from-key');
  const isPrefix = flags.on('prefix');
  if (isPrefix && isFrom) throw badArgument('--from-key and --prefix flags are mutually exclusive');
  if ((isPrefix || isFrom) && end !== undefined)
    throw badArgument(`unexpected endkey argument with --${isPrefix ? 'prefix' : 'from-key'} flag`);
  if (isFrom || (isPrefix && key === '')) return {key: key === '' ? FROM_KEY : key, end: FROM_KEY};
  if (isPrefix) return {key, end: endOfPrefix(key)};
  return end === undefined ? {key} : {key, end};
}

function grantPermission(context: Context): Promise<void> {
  const wanted = 'role grant command requires role name, permission type, and key [endkey] as its argument';
  const [name = '', type = '', key = '', end] = wordsOf(context, [3, 4], wanted);
  if (!isType(type)) throw badArgument(`invalid permission type: ${type}`);
  const permission: Permission = {type, ...rangeOf(context, key, end)};
  return change(context, {kind: 'role-grant', name, permission}, `Role ${name} updated`);
}

function isType(word: string): word is Permission['type'] {
  return word === 'read' || word === 'write' || word === 'readwrite';
}

function revokePermission(context: Context): Promise<void> {
  const wanted = 'role revoke-permission command requires role name and key [endkey] as its argument';
  const [name = '', given = '', last] = wordsOf(context, [2, 3], wanted);
  const {key, end} = rangeOf(context, given, last);
  const what = end === undefined ? `key ${key}` : `range ${end === FROM_KEY ? `[${key}, <open ended>` : `[${key}, ${end})`}`;
  return change(
    context,
    {kind: 'role-revoke', name, key, ...(end === undefined ? {} : {end})},
    `Permission of ${what} is revoked from role ${name}`,
  );
}

const INTERACTIVE = {name: 'interactive', type: 'bool', standard: 'true'} as const;

/** The commands. */
export const AUTH_COMMANDS: readonly Command[] = [
  {path: 'auth disable', usage: '', short: 'Disables authentication', run: disable},
  {path: 'auth enable', usage: '', short: 'Enables authentication', run: enable},
  {path: 'auth status', usage: '', short: 'Returns authentication status', run: status},
  {
    path: 'role add',
    usage: '<role name>',
    short: 'Adds a new role',
    run: onName('role-add', 'role add command requires role name as its argument', name => `Role ${name} created`),
  },
  {
    path: 'role delete',
    usage: '<role name>',
    short: 'Deletes a role',
    run: onName('role-delete', 'role delete command requires role name as its argument', name => `Role ${name} deleted`),
  },
  {path: 'role get', usage: '<role name>', short: 'Gets detailed information of a role', run: getRole},
  {
    path: 'role grant-permission',
    usage: '[options] <role name> <permission type> <key> [endkey]',
    short: 'Grants a key to a role',
    flags: RANGE_FLAGS,
    run: grantPermission,
  },
  {path: 'role list', usage: '', short: 'Lists all roles', run: names('roles')},
  {
    path: 'role revoke-permission',
    usage: '<role name> <key> [endkey]',
    short: 'Revokes a key from a role',
    flags: RANGE_FLAGS,
    run: revokePermission,
  },
  {
    path: 'user add',
    usage: '<user name or user:password> [options]',
    short: 'Adds a new user',
    flags: [INTERACTIVE, {name: 'new-user-password', type: 'string'}, {name: 'no-password', type: 'bool'}],
    run: addUser,
  },
  {
    path: 'user delete',
    usage: '<user name>',
    short: 'Deletes a user',
    run: onName('user-delete', 'user delete command requires user name as its argument', name => `User ${name} deleted`),
  },
  {
    path: 'user get',
    usage: '<user name> [options]',
    short: 'Gets detailed information of a user',
    flags: [{name: 'detail', type: 'bool'}],
    run: getUser,
  },
  {path: 'user grant-role', usage: '<user name> <role name>', short: 'Grants a role to a user', run: onRole('user-grant')},
  {path: 'user list', usage: '', short: 'Lists all users', run: names('users')},
  {
    path: 'user passwd',
    usage: '<user name> [options]',
    short: 'Changes password of user',
    flags: [INTERACTIVE],
    run: changePassword,
  },
  {path: 'user revoke-role', usage: '<user name> <role name>', short: 'Revokes a role from a user', run: onRole('user-revoke')},
];
