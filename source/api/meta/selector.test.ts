import {expect, test} from 'vitest';
import {fieldSelectorText, matchFields, parseFieldSelector} from './field-selector.ts';
import {labelsText, mapMatcher, requirementsMatcher, requirementsText, selectorMatcher, selectorText} from './selector.ts';
import {parseSelector} from './selector-parser.ts';

function read(text: string) {
  const parsed = parseSelector(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed.requirements;
}

test.each([
  ['app=web', {app: 'web'}, true],
  ['app==web', {app: 'shop'}, false],
  ['app!=web', {}, true],
  ['app in (web, shop)', {app: 'shop'}, true],
  ['app notin (web)', {}, true],
  ['app', {app: ''}, true],
  ['!app', {app: ''}, false],
  ['size>2,size<10', {size: '5'}, true],
  ['size>2', {size: 'big'}, false],
  ['', {}, true],
  ['in=notin', {in: 'notin'}, true],
  ['app=,tier', {app: '', tier: 'x'}, true],
  ['constructor', {}, false],
])('%s on %j is %s', (text, labels, fits) => {
  expect(requirementsMatcher(read(text))(labels)).toBe(fits);
});

test.each([
  ['a===b', "unable to parse requirement: found '=', expected: identifier"],
  ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['a=b,', "found '', expected: identifier after ','"],
  [',a', "found ',', expected: !, identifier, or 'end of string'"],
  ['a in b', "unable to parse requirement: found 'b' expected: '('"],
  ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['a=b c', "found 'c', expected: ',' or 'end of string'"],
  [
    'a=-b',
    `unable to parse requirement: values[0][a]: Invalid value: "-b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  ],
])('%s is refused', (text, error) => {
  expect(parseSelector(text)).toEqual({error});
});

test('a selector is printed sorted by key', () => {
  expect(requirementsText(read('b notin (y,x),a==1,!c'))).toBe('a=1,b notin (x,y),!c');
  expect(selectorText({matchLabels: {b: '1', a: '2'}, matchExpressions: [{key: 'c', operator: 'Exists'}]})).toBe('a=2,b=1,c');
  expect(selectorText({})).toBe('<none>');
  expect(labelsText({z: '1', a: '2'})).toBe('a=2,z=1');
});

test('an absent selector fits nothing, an empty one everything, an empty map nothing', () => {
  expect(selectorMatcher(undefined)({})).toBe(false);
  expect(selectorMatcher({})({})).toBe(true);
  expect(mapMatcher({})({a: 'b'})).toBe(false);
  expect(mapMatcher({a: 'b'})({a: 'b', c: 'd'})).toBe(true);
  const selector = Object.freeze({matchLabels: {a: 'b'}});
  expect(selectorMatcher(selector)).toBe(selectorMatcher(selector));
});

test('field selectors are read, printed and compared', () => {
  const parsed = parseFieldSelector('status.phase!=Running,metadata.name=a\\,b');
  if ('error' in parsed) throw new Error(parsed.error);
  expect(fieldSelectorText(parsed.requirements)).toBe('metadata.name=a\\,b,status.phase!=Running');
  expect(matchFields(parsed.requirements, field => (field === 'metadata.name' ? 'a,b' : 'Pending'))).toBe(true);
  expect(parseFieldSelector('nonsense')).toEqual({error: "invalid selector: 'nonsense'; can't understand 'nonsense'"});
});
