// The token of a list in pages: a revision and the key to go on from, as JSON in base64.

const VERSION = 'meta.k8s.io/v1';

/** Writes a token. */
export function writeToken(revision: number, start: string): string {
  return Buffer.from(JSON.stringify({v: VERSION, rv: revision, start}), 'utf8').toString('base64url');
}

/** Reads a token; a text says what is wrong with it. */
export function readToken(token: string): {readonly revision: number; readonly start: string} | string {
  const bytes = Buffer.from(token, 'base64url');
  const text = bytes.toString('utf8');
  try {
    const value = JSON.parse(text) as {v?: unknown; rv?: unknown; start?: unknown};
    if (value.v === VERSION && typeof value.rv === 'number' && typeof value.start === 'string')
      return {revision: value.rv, start: value.start};
    return 'continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)';
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `continue key is not valid: ${jsonError(bytes)}`;
  }
}

function jsonError(bytes: Uint8Array): string {
  const [first] = bytes;
  if (first === undefined) return 'unexpected end of JSON input';
  const letter = String.fromCharCode(first);
  const shown = first >= 0x7f && first < 0xa1 ? `\\u00${first.toString(16)}` : letter;
  return `invalid character '${shown}' looking for beginning of value`;
}
