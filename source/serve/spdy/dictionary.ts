// The words that SPDY/3.1 takes as known when it packs headers: part of the protocol, as its draft lists them. Both sides must have the
// same bytes; zlib itself checks their sum.

const NAMES =
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow authorization ' +
  'cache-control connection content-base content-encoding content-language content-length content-location content-md5 content-range ' +
  'content-type date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since ' +
  'last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer ' +
  'transfer-encoding upgrade user-agent vary via warning www-authenticate method get status 200_OK version HTTP/1.1 url public ' +
  'set-cookie keep-alive origin';

const REST =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505' +
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found' +
  '500 Internal Server Error501 Not Implemented503 Service Unavailable' +
  'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT' +
  'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,' +
  'publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';

function word(name: string): Buffer {
  const bytes = Buffer.alloc(4 + name.length);
  bytes.writeUInt32BE(name.length);
  bytes.write(name, 4, 'latin1');
  return bytes;
}

/** The dictionary. */
export const DICTIONARY: Buffer = Buffer.concat([
  ...NAMES.split(' ').map(name => word(name.replace('_', ' '))),
  Buffer.from(REST, 'latin1'),
]);
