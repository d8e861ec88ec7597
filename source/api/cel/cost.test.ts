// What rules may cost, by the sizes that a schema allows: the sums that decide whether a definition is taken.
import {expect, test} from 'vitest';
import type {Structural} from '../custom/structural.ts';
import {structuralType} from './schema-types.ts';
import {estimateCost} from './cost.ts';
import {compileExpression} from './expression.ts';

const short: Structural = {type: 'string', maxLength: 10};
const schema: Structural = {
  type: 'object',
  properties: {
    n: {type: 'integer'},
    m: {type: 'integer'},
    open: {type: 'string'},
    short,
    when: {type: 'string', format: 'date-time'},
    either: {'x-kubernetes-int-or-string': true},
    list: {type: 'array', maxItems: 5, items: short},
    map: {type: 'object', maxProperties: 4, additionalProperties: short},
  },
};
const variables = Object.freeze({self: structuralType(schema)});

function costOf(rule: string): number {
  const compiled = compileExpression(rule, variables);
  if ('error' in compiled) throw new Error(compiled.error);
  return estimateCost(compiled.expression, {self: schema});
}

test.each([
  ['true', 0],
  ['self.n', 2],
  ['has(self.n)', 1],
  ['self.n <= self.m', 5],
  ['self.n == self.m', 4],
  ['self.n + 1 > 2', 4],
  ['self.n > 0 && self.m > 0', 6],
  ['self.n > 0 ? self.short == "a" : true', 6],
  ["self.short == 'abc'", 3],
  ["self.short.startsWith('abc')", 3],
  ["self.short.contains('abc')", 6],
  ["self.short.matches('^a+$')", 7],
  ["self.short.lowerAscii() == 'abc'", 7],
  ["duration(self.open) > duration('1s')", 5],
  ["quantity(string(self.either)).isGreaterThan(quantity('1Mi'))", 6],
  ['isCIDR(self.open)', 3],
  ['!format.dns1123Label().validate(self.short).hasValue()', 133],
  ['self.list.all(x, x.size() > 1)', 33],
  ['self.list.exists(x, x == "a")', 33],
  ['self.list.filter(x, true).size() == 0', 80],
  ['self.list.isSorted()', 27],
  ['"a" in self.list', 7],
  ['"a" in self.map', 3],
  ["self.list.join(',') == ''", 23],
])('%s costs %d', (rule, cost) => expect(costOf(rule)).toBe(cost));

test.each(["'not ' + string(self.n)", 'self.n == size([self.open + string(self.n)])'])('%s has no bound', rule =>
  expect(costOf(rule)).toBeGreaterThan(1e15),
);
