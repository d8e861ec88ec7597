// A line of the journal as text, in the forms of `journalctl -o`.
import type {JournalEntry} from '../../api/wire/journal.ts';
import {shortTime} from './services.ts';

export type OutputForm = (line: JournalEntry, host: string) => string;

const head = (time: string, host: string, {identifier, pid, text}: JournalEntry) =>
  `${time}${host === '' ? '' : ` ${host}`} ${identifier}[${pid}]: ${text}`;

function iso(ms: number): string {
  return `${new Date(Math.floor(ms)).toISOString().slice(0, 19)}+00:00`;
}

function micros(ms: number): string {
  return String(Math.floor(ms * 1000));
}

/** By name. */
export const FORMS: Readonly<Record<string, OutputForm>> = {
  short: (line, host) => head(shortTime(line.at), host, line),
  'short-iso': (line, host) => head(iso(line.at), host, line),
  'short-precise': (line, host) => head(`${shortTime(line.at)}.${micros(line.at).slice(-6)}`, host, line),
  'short-unix': (line, host) => head(`${micros(line.at).slice(0, -6)}.${micros(line.at).slice(-6)}`, host, line),
  'short-full': (line, host) => {
    const date = new Date(Math.floor(line.at));
    const day = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][date.getUTCDay()];
    return head(`${day} ${date.toISOString().slice(0, 10)} ${date.toISOString().slice(11, 19)} UTC`, host, line);
  },
  cat: line => line.text,
  json: (line, host) => JSON.stringify(fieldsOf(line, host)),
  'json-pretty': (line, host) => JSON.stringify(fieldsOf(line, host), null, '\t'),
};

/** The fields of a line, as journald names them. */
export function fieldsOf({at, unit, identifier, pid, text, priority}: JournalEntry, host: string): Record<string, string> {
  const systemd = identifier === 'systemd';
  return {
    __REALTIME_TIMESTAMP: micros(at),
    _HOSTNAME: host,
    PRIORITY: String(priority),
    SYSLOG_IDENTIFIER: identifier,
    _PID: String(pid),
    _SYSTEMD_UNIT: systemd ? 'init.scope' : unit,
    ...(systemd ? {UNIT: unit} : {}),
    MESSAGE: text,
  };
}
