// The pages that nginx makes itself.
import type {HttpReply} from '../program-model.ts';

const WORDS: Readonly<Record<number, string>> = {
  301: '301 Moved Permanently',
  302: '302 Found',
  400: '400 Bad Request',
  401: '401 Authorization Required',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Not Allowed',
  500: '500 Internal Server Error',
  502: '502 Bad Gateway',
  503: '503 Service Temporarily Unavailable',
  504: '504 Gateway Time-out',
};

/** The page of a status. */
export function problemPage(status: number, version: string): HttpReply & object {
  const words = WORDS[status];
  const body =
    words === undefined
      ? ''
      : `<html>\r\n<head><title>${words}</title></head>\r\n<body>\r\n<center><h1>${words}</h1></center>\r\n<hr><center>nginx/${version}</center>\r\n</body>\r\n</html>\r\n`;
  return {status, body, type: 'text/html'};
}
