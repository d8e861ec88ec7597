// When an image is pulled anew, if nobody says.

/** An image that may change behind its name is pulled each time. */
export function pullPolicyOf(image: string | undefined): 'Always' | 'IfNotPresent' {
  if (!image || image.includes('@')) return 'IfNotPresent';
  const name = image.slice(image.lastIndexOf('/') + 1);
  const tag = name.includes(':') ? name.slice(name.indexOf(':') + 1) : 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}
