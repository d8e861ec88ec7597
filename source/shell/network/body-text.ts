/** The body of an answer as text: what is no text is JSON, in one line. */
export function bodyText(body: unknown): string {
  if (body === undefined || body === null) return '';
  return typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;
}
