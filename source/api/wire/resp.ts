// What Redis and its clients say to each other (RESP, the second version): commands as lists of texts, or as a line of words, and
// replies. A text may end in the middle of either.

/** A reply. */
export type Reply = string | number | null | {readonly status: string} | {readonly error: string} | readonly Reply[];

/** A command as it travels. */
export function commandText(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map(bulk).join('')}`;
}

/** A reply as it travels. */
export function replyText(reply: Reply): string {
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (typeof reply === 'string') return bulk(reply);
  if ('status' in reply) return `+${reply.status}\r\n`;
  if ('error' in reply) return `-${reply.error}\r\n`;
  return `*${reply.length}\r\n${reply.map(replyText).join('')}`;
}

function bulk(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
}

/** The first command of a text and what follows it; undefined where it is not whole yet. */
export function readCommand(text: string): {readonly words: readonly string[]; readonly rest: string} | undefined {
  if (text.startsWith('*')) {
    const read = readReply(text);
    return read && {words: Array.isArray(read.reply) ? read.reply.map(String) : [], rest: read.rest};
  }
  const end = text.indexOf('\n');
  return end < 0 ? undefined : {words: splitWords(text.slice(0, end)), rest: text.slice(end + 1)};
}

/** The words of a line; quotes hold some together. */
export function splitWords(line: string): string[] {
  const found = line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g);
  return [...found].map(([, double, single, bare]) => double?.replaceAll(/\\(.)/g, '$1') ?? single ?? bare ?? '');
}

/** The first reply of a text and what follows it; undefined where it is not whole yet. */
export function readReply(text: string): {readonly reply: Reply; readonly rest: string} | undefined {
  const end = text.indexOf('\r\n');
  if (end < 0) return undefined;
  const [kind, head, rest] = [text[0], text.slice(1, end), text.slice(end + 2)];
  if (kind === '+') return {reply: {status: head}, rest};
  if (kind === '-') return {reply: {error: head}, rest};
  if (kind === ':') return {reply: Number(head), rest};
  if (kind === '*') return readList(Number(head), rest);
  return readBulk(Number(head), rest);
}

function readBulk(bytes: number, text: string): ReturnType<typeof readReply> {
  if (bytes < 0) return {reply: null, rest: text};
  const body = Buffer.from(text, 'utf8');
  if (body.length < bytes + 2) return undefined;
  return {reply: body.subarray(0, bytes).toString('utf8'), rest: body.subarray(bytes + 2).toString('utf8')};
}

function readList(count: number, text: string): ReturnType<typeof readReply> {
  if (count < 0) return {reply: null, rest: text};
  const items: Reply[] = [];
  let rest = text;
  for (let i = 0; i < count; i++) {
    const read = readReply(rest);
    if (!read) return undefined;
    items.push(read.reply);
    ({rest} = read);
  }
  return {reply: items, rest};
}
