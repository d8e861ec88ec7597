// The short help of a command: its aliases, flags and usage line.
import type {CommandSpec} from './catalogue.ts';
import {flagText} from './parse.ts';

/** Aliases, flags and usage. */
export function usageText(spec: CommandSpec): string {
  const parts: string[] = [];
  if (spec.aliases.length > 0) parts.push(`Aliases:\n${[spec.name, ...spec.aliases].join(', ')}`);
  if (spec.flags.length > 0)
    parts.push(`Options:\n${spec.flags.map(flag => `    ${flagText(flag)}=${flag.fallback}`).join('\n')}`);
  parts.push(`Usage:\n  ${spec.usage}`);
  parts.push('Use "kubectl options" for a list of global command-line options (applies to all commands).');
  return `${parts.join('\n\n')}\n`;
}
