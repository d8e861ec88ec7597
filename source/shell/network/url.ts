// Addresses of pages, as curl and wget take them.

/** The parts of an URL. */
export interface Url {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** With its query, as it was written. */
  readonly target: string;
  readonly user: string | undefined;
}

/** Takes an URL apart; words when it is none. */
export function parseUrl(text: string): Url | string {
  const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):\/\/)?(?:([^@/?#]*)@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d*))?([/?][^#]*)?(?:#.*)?$/.exec(
    text,
  );
  const scheme = (match?.[1] ?? 'http').toLowerCase();
  const host = match?.[3]?.replace(/^\[|\]$/g, '') ?? '';
  if (!match || host === '' || /[\s"<>]/.test(host)) return 'URL rejected: Malformed input to a URL function';
  if (scheme !== 'http' && scheme !== 'https') return `Protocol "${scheme}" not supported`;
  const port = match[4] ? Number(match[4]) : scheme === 'https' ? 443 : 80;
  if (port > 65_535) return 'URL rejected: Port number was not a decimal number between 0 and 65535';
  const rest = match[5] ?? '/';
  return {scheme, host, port, target: rest.startsWith('?') ? `/${rest}` : rest, user: match[2]};
}

/** Path and query as a request has them. */
export function requestTarget(target: string): {path: string; query?: Readonly<Record<string, string>>} {
  const at = target.indexOf('?');
  const path = decoded(at < 0 ? target : target.slice(0, at));
  if (at < 0) return {path};
  const query: Record<string, string> = {};
  for (const pair of target.slice(at + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    query[decoded(equals < 0 ? pair : pair.slice(0, equals))] =
      equals < 0 ? '' : decoded(pair.slice(equals + 1).replaceAll('+', ' '));
  }
  return {path, query};
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The URL that a redirection leads to. */
export function follow(url: Url, location: string): string {
  if (/^[a-z]+:\/\//i.test(location)) return location;
  const base = `${url.scheme}://${url.host}:${url.port}`;
  return location.startsWith('/') ? base + location : `${base}${url.target.replace(/[^/]*$/, '')}${location}`;
}

/** The host as a request names it: with the port unless that is the usual one. */
export function hostHeader({scheme, host, port}: Url): string {
  return port === (scheme === 'https' ? 443 : 80) ? host : `${host}:${port}`;
}
