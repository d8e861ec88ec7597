// PEM, the armour in which certificates, keys and requests stand in files: read as Go reads it. A block begins and ends on a line of
// its own, may have headers, and counts only where its body is base64 to the end; all else between blocks is passed over.

/** One block. */
export interface PemBlock {
  /** `CERTIFICATE` and the like. */
  readonly label: string;
  readonly bytes: Buffer;
}

const BLOCK =
  /^-----BEGIN ([^\n]*)-----[ \t\r]*\n(?:[^\n:-][^\n:]*:[^\n]*\n)*([A-Za-z0-9+/\s]*(?:=\s*){0,2})^-----END \1-----[ \t\r]*$/gm;

/** Bytes, or a text, as a block. */
export function pemOf(label: string, content: Uint8Array | string): string {
  const body = (typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content)).toString('base64');
  return `-----BEGIN ${label}-----\n${body.replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`;
}

/** All blocks of a text. */
export function pemBlocks(text: string): readonly PemBlock[] {
  const found: PemBlock[] = [];
  for (const [, label = '', body = ''] of text.matchAll(BLOCK)) {
    const digits = body.replaceAll(/\s/g, '');
    if (digits.length % 4 === 0) found.push({label, bytes: Buffer.from(digits, 'base64')});
  }
  return found;
}
