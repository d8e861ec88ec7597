import {expect, test} from 'vitest';
import {formatIn, isTimeZone, offsetAt, timeZone} from './time-zone.ts';

const minutes = (zone: string, at: string) => offsetAt(timeZone(zone) ?? {standard: Number.NaN}, Date.parse(at)).minutes;

test.each([
  ['UTC', '2026-07-01T00:00:00Z', 0],
  ['Etc/GMT+5', '2026-07-01T00:00:00Z', -300],
  ['Asia/Kolkata', '2026-07-01T00:00:00Z', 330],
  ['Europe/Berlin', '2026-03-29T00:59:59Z', 60],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', 120],
  ['Europe/Berlin', '2026-10-25T00:59:59Z', 120],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', 60],
  ['America/New_York', '2026-03-08T06:59:59Z', -300],
  ['America/New_York', '2026-03-08T07:00:00Z', -240],
  ['America/New_York', '2026-11-01T06:00:00Z', -300],
  ['Australia/Sydney', '2026-01-01T00:00:00Z', 660],
  ['Australia/Sydney', '2026-07-01T00:00:00Z', 600],
  ['Europe/Dublin', '2026-01-01T00:00:00Z', 0],
  ['Europe/Dublin', '2026-07-01T00:00:00Z', 60],
  ['Australia/Lord_Howe', '2026-01-01T00:00:00Z', 660],
  ['America/Nuuk', '2026-07-01T00:00:00Z', -60],
])('%s at %s is %i minutes ahead', (zone, at, ahead) => {
  expect(minutes(zone, at)).toBe(ahead);
});

test('what holds says until when', () => {
  const berlin = timeZone('Europe/Berlin') ?? {standard: 0};
  expect(offsetAt(berlin, Date.parse('2026-11-30T09:00:00Z')).untilMs).toBe(Date.parse('2027-03-28T01:00:00Z'));
});

test('a moment is told as clocks show it', () => {
  const told = (zone: string) => formatIn(timeZone(zone) ?? {standard: 0}, Date.parse('2026-11-30T09:00:00Z'));
  expect(['Etc/UTC', 'Europe/Berlin', 'America/St_Johns'].map(told)).toEqual([
    '2026-11-30T09:00:00Z',
    '2026-11-30T10:00:00+01:00',
    '2026-11-30T05:30:00-03:30',
  ]);
});

test('names are those of the tz database', () => {
  expect([isTimeZone('Mars/Olympus'), isTimeZone('Local'), isTimeZone('Europe/Zurich')]).toEqual([false, false, true]);
});
