// What commands and flags are for, in one line each, as the real kubectl's own help pages have it. Where there are no pages nothing
// is said.
import {helpPage, pageOf} from '../flags/help.ts';
import {findCommand, hasOwnKubeconfig, type CommandSpec, type FlagSpec} from '../flags/catalogue.ts';

/** No page shows these. */
const UNPAGED: Readonly<Record<string, string>> = {
  'kubectl help': 'Help about any command',
  'kubectl options': 'Print the list of flags inherited by all commands',
};
const CONFIG_FILE = 'use a particular kubeconfig file';

const pages = new Map<string, ReadonlyMap<string, string>>();

/** What a command is for, as the page of the one above lists it. */
export function aboutCommand({path, name}: CommandSpec): string {
  const above = findCommand(path.slice(0, path.lastIndexOf(' ')));
  const page = above ? helpPage(above) : undefined;
  return UNPAGED[path] ?? lines(page, /^ {2}([a-z-]+) {2,}(\S.*)$/gm).get(name) ?? '';
}

/** What a flag is for, as the page of its command, or that of all commands, has it. */
export function aboutFlag(command: CommandSpec, flag: FlagSpec): string {
  if (flag.name === 'help') return `help for ${command.name}`;
  const isOfAll = !command.flags.some(({name}) => name === flag.name);
  if (isOfAll && flag.name === 'kubeconfig' && hasOwnKubeconfig(command)) return CONFIG_FILE;
  const page = isOfAll ? pageOf('options') : helpPage(command);
  return lines(page, /^ {4}(?:-\w, )?--([\w-]+)=.*:\n\t(.*)$/gm).get(flag.name) ?? '';
}

/** What a page says of each of its words, read once. */
function lines(page: string | undefined, form: RegExp): ReadonlyMap<string, string> {
  if (page === undefined) return new Map();
  const known = pages.get(form.source + page);
  if (known) return known;
  const read = new Map(Array.from(page.matchAll(form), ([, word = '', about = '']) => [word, about] as const));
  pages.set(form.source + page, read);
  return read;
}
