// The target of a request as it stands in a request line.

/** `/api/v1/pods?limit=500&watch=1`: path and query, the parts of the query in order of their names. */
export function requestUri(path: string, query: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${path}${pairs.map(([name, value], at) => `${at === 0 ? '?' : '&'}${escaped(name)}=${escaped(value)}`).join('')}`;
}

/** As Go escapes the parts of a query. */
function escaped(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}
