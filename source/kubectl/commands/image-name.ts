// What may be the name of an image: a host and a port, a path of small letters, a tag, a digest. kubectl asks no more of it.

const HOST_PART = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const HOST = `(?:${HOST_PART}(?:\\.${HOST_PART})*|\\[[0-9a-fA-F:]+\\])(?::\\d+)?`;
const PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const NAME = `(?:${HOST}/)?${PART}(?:/${PART})*`;
const TAG = '\\w[\\w.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(`^${NAME}(?::${TAG})?(?:@${DIGEST})?$`);

/** Is the text the name of an image? */
export function isImageName(text: string): boolean {
  return REFERENCE.test(text);
}
