import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Clock} from './clock.ts';

test('events run by due time, and by order of asking where they tie', () => {
  const clock = new Clock();
  const seen: string[] = [];
  clock.at(5, () => seen.push('b'));
  clock.at(1, () => {
    seen.push('a');
    clock.at(5, () => seen.push('d'));
    clock.after(0, () => seen.push('a2'));
  });
  clock.at(5, () => seen.push('c'));
  while (clock.step());
  expect(seen).toEqual(['a', 'a2', 'b', 'c', 'd']);
  expect(clock.now).toBe(5);
});

test('what waits in the heap for this instant comes before what is asked for now', () => {
  const clock = new Clock();
  const seen: number[] = [];
  clock.at(3, () => {
    seen.push(1);
    clock.after(0, () => seen.push(3));
  });
  clock.at(3, () => seen.push(2));
  while (clock.step());
  expect(seen).toEqual([1, 2, 3]);
});

test('a cancelled event does not run, nor hold the next one up', () => {
  const clock = new Clock();
  const seen: string[] = [];
  const gone = clock.at(1, () => seen.push('gone'));
  clock.at(2, () => seen.push('kept'));
  clock.cancel(gone);
  expect(clock.next).toBe(2);
  while (clock.step());
  expect(seen).toEqual(['kept']);
});

test('each event runs with the cause that was current when it was asked for', () => {
  const clock = new Clock();
  const causes: number[] = [];
  clock.cause = 7;
  clock.at(1, () => {
    causes.push(clock.cause);
    clock.cause = 8;
    clock.after(1, () => causes.push(clock.cause));
  });
  clock.cause = 0;
  clock.at(1, () => causes.push(clock.cause));
  while (clock.step());
  expect(causes).toEqual([7, 0, 8]);
});

test('two parts that answer each other without end are found out', () => {
  const clock = new Clock();
  const again = () => void clock.after(0, again);
  again();
  expect(() => {
    while (clock.step());
  }).toThrow(/hundred thousand/);
});

test('waits of lengths that have rows keep the one order with all others', () => {
  const lengths = [0, 0.02, 0.1, 0.5, 1, 0.3, 2, 0.1, 0.7];
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(8), fc.nat(8), fc.boolean()), {maxLength: 80}), plan => {
      const clock = new Clock();
      const asked: {due: number; order: number; gone: boolean}[] = [];
      const ran: number[] = [];
      const ask = ([length, , gone]: readonly [number, number, boolean]) => {
        const order = asked.length;
        const delay = lengths[length] ?? 0;
        const timer = clock.after(delay, () => {
          ran.push(order);
          const more = plan[order];
          if (more && order % 3 === 0) ask([more[1], 0, false]);
        });
        asked.push({due: clock.now + delay, order, gone});
        if (gone) clock.cancel(timer);
        expect(clock.next).toBeGreaterThanOrEqual(clock.now);
      };
      for (const each of plan) ask(each);
      while (clock.step());
      const wanted = asked.filter(each => !each.gone).sort((a, b) => a.due - b.due || a.order - b.order);
      expect(ran).toEqual(wanted.map(each => each.order));
    }),
  );
});
