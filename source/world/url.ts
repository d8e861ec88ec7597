// The parts of a URL, as far as somebody who dials needs them.
export interface UrlParts {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** Undefined for what is no http URL. */
export function urlParts(url: string): UrlParts | undefined {
  const parts = /^(https?):\/\/([^/:?#]+)(?::(\d+))?(\/[^?#]*)?/.exec(url);
  if (!parts) return undefined;
  const [, scheme, host = '', port, path = '/'] = parts;
  return {scheme: scheme === 'https' ? 'https' : 'http', host, port: Number(port ?? (scheme === 'https' ? 443 : 80)), path};
}
