// What names, label keys and label values may look like, with the server's exact words. Each check gives a list of
// sentences: empty when all is well.

const LABEL_FORM = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_FORM = `${LABEL_FORM}(\\.${LABEL_FORM})*`;
const LABEL_1035_FORM = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED_FORM = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const VALUE_FORM = `(${QUALIFIED_FORM})?`;
const ENV_FORM = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const CONFIG_KEY_FORM = '[-._a-zA-Z0-9]+';
const WILDCARD_FORM = `\\*\\.${SUBDOMAIN_FORM}`;

const whole = (form: string) => new RegExp(`^(?:${form})$`);
const LABEL = whole(LABEL_FORM);
const SUBDOMAIN = whole(SUBDOMAIN_FORM);
const LABEL_1035 = whole(LABEL_1035_FORM);
const QUALIFIED = whole(QUALIFIED_FORM);
const VALUE = whole(VALUE_FORM);
const CONFIG_KEY = whole(CONFIG_KEY_FORM);
const WILDCARD = whole(WILDCARD_FORM);

const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const LABEL_1035_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const QUALIFIED_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const WILDCARD_TEXT =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";

/** `sentence (e.g. 'a',  or 'b', regex used for validation is '…')`. */
export function formText(sentence: string, form: string, examples: readonly string[] = []): string {
  if (examples.length === 0) return `${sentence} (regex used for validation is '${form}')`;
  return `${sentence} (e.g. ${examples.map(example => `'${example}', `).join(' or ')}regex used for validation is '${form}')`;
}

/** `must be no more than N characters`. */
export function tooLongText(length: number): string {
  return `must be no more than ${length} characters`;
}

/** `must be between A and B, inclusive`. */
export function rangeText(least: number, most: number): string {
  return `must be between ${least} and ${most}, inclusive`;
}

const SUBDOMAIN_ERROR = formText(SUBDOMAIN_TEXT, SUBDOMAIN_FORM, ['example.com']);
const LABEL_1035_ERROR = formText(LABEL_1035_TEXT, LABEL_1035_FORM, ['my-name', 'abc-123']);
const WILDCARD_ERROR = formText(WILDCARD_TEXT, WILDCARD_FORM, ['*.example.com']);
const LABEL_ERROR = formText(LABEL_TEXT, LABEL_FORM, ['my-name', '123-abc']);

/** A DNS label: names of namespaces, containers, volumes. */
export function checkLabel(value: string): readonly string[] {
  const errors = check(value, {longest: 63, form: LABEL, text: LABEL_ERROR});
  // What is a good subdomain and no label can only have dots too many.
  return errors.includes(LABEL_ERROR) && SUBDOMAIN.test(value)
    ? errors.map(text => (text === LABEL_ERROR ? 'must not contain dots' : text))
    : errors;
}

/** A DNS subdomain: names of most objects. */
export function checkSubdomain(value: string): readonly string[] {
  return check(value, {longest: 253, form: SUBDOMAIN, text: SUBDOMAIN_ERROR});
}

/** A DNS label that begins with a letter: names of Services. */
export function checkLabel1035(value: string): readonly string[] {
  return check(value, {longest: 63, form: LABEL_1035, text: LABEL_1035_ERROR});
}

/** A DNS name whose first part is `*`. */
export function checkWildcard(value: string): readonly string[] {
  return check(value, {longest: 253, form: WILDCARD, text: WILDCARD_ERROR});
}

/** A name that may stand as one part of a URL path. */
export function checkPathSegment(value: string): readonly string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%'].filter(sign => value.includes(sign)).map(sign => `may not contain '${sign}'`);
}

/** The key of a label or annotation: an optional subdomain and `/`, then a name. */
export function checkQualifiedName(value: string): readonly string[] {
  const parts = value.split('/');
  const errors: string[] = [];
  if (parts.length > 2) return [qualifiedText('a valid label key ')];
  const [name = ''] = parts.slice(-1);
  if (parts.length === 2) {
    const [prefix = ''] = parts;
    if (prefix === '') errors.push('prefix part must be non-empty');
    else errors.push(...checkSubdomain(prefix).map(text => `prefix part ${text}`));
  }
  if (name === '') errors.push('name part must be non-empty');
  else if (bytesOf(name) > 63) errors.push('name part must be no more than 63 bytes');
  if (!QUALIFIED.test(name))
    errors.push(`name part ${formText(QUALIFIED_TEXT, QUALIFIED_FORM, ['MyName', 'my.name', '123-abc'])}`);
  return errors;
}

function qualifiedText(lead: string): string {
  const form = formText(`${lead}${QUALIFIED_TEXT}`, QUALIFIED_FORM, ['MyName', 'my.name', '123-abc']);
  return `${form} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
}

/** The value of a label. */
export function checkLabelValue(value: string): readonly string[] {
  const errors = bytesOf(value) > 63 ? ['must be no more than 63 bytes'] : [];
  return VALUE.test(value) ? errors : [...errors, formText(VALUE_TEXT, VALUE_FORM, ['MyValue', 'my_value', '12345'])];
}

/** A key of a ConfigMap or Secret. */
export function checkConfigKey(value: string): readonly string[] {
  const errors: string[] = [];
  if (value.length > 253) errors.push(tooLongText(253));
  if (!CONFIG_KEY.test(value)) {
    const text = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    errors.push(formText(text, CONFIG_KEY_FORM, ['key.name', 'KEY_NAME', 'key-name']));
  }
  if (value === '.') errors.push("must not be '.'");
  else if (value === '..') errors.push("must not be '..'");
  else if (value.startsWith('..')) errors.push("must not start with '..'");
  return errors;
}

/** The name of an environment variable, as v1.35 takes it. */
export function checkEnvName(value: string): readonly string[] {
  const printable = /^[ -<>-~]+$/.test(value);
  return printable ? [] : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** The name of an environment variable in the strict old form, which kubectl still asks of the keys of env files. */
export function checkStrictEnvName(value: string): readonly string[] {
  const text =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit";
  return whole(ENV_FORM).test(value) ? [] : [formText(text, ENV_FORM, ['my.env-name', 'MY_ENV.NAME', 'MyEnvName1'])];
}

/** A name in a DNS search list: parts may begin with an underscore. */
export function checkSearchDomain(value: string): readonly string[] {
  return check(value, {longest: 253, form: SEARCH, text: formText(SEARCH_TEXT, SEARCH_FORM, ['example.com'])});
}

const SEARCH_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
const SEARCH_PART = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SEARCH_FORM = `${SEARCH_PART}(\\.${SEARCH_PART})*`;
const SEARCH = whole(SEARCH_FORM);

/** The name of an HTTP header. */
export function checkHeaderName(value: string): readonly string[] {
  const form = '[-A-Za-z0-9]+';
  const text = "a valid HTTP header must consist of alphanumeric characters or '-'";
  return whole(form).test(value) ? [] : [formText(text, form, ['X-Header-Name'])];
}

/** A path of a URL. */
export function checkUrlPath(value: string): readonly string[] {
  return whole(PATH_FORM).test(value) ? [] : [formText('Invalid path', PATH_FORM)];
}

const PATH_FORM = String.raw`[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`;

/** The name of a port, after RFC 6335. */
export function checkPortName(value: string): readonly string[] {
  const errors: string[] = [];
  if (value.length > 15) errors.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(value)) errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(value)) errors.push('must contain at least one letter (a-z)');
  if (value.includes('--')) errors.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
}

/** A port's number. */
export function checkPortNumber(port: number): readonly string[] {
  return port >= 1 && port <= 65_535 ? [] : [rangeText(1, 65_535)];
}

function check(value: string, rule: {longest: number; form: RegExp; text: string}): readonly string[] {
  const fits = value.length <= rule.longest;
  if (fits && rule.form.test(value)) return [];
  return [...(fits ? [] : [tooLongText(rule.longest)]), ...(rule.form.test(value) ? [] : [rule.text])];
}

function bytesOf(text: string): number {
  return /^[\x00-\x7f]*$/.test(text) ? text.length : new TextEncoder().encode(text).length;
}
