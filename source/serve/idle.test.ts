import {EventEmitter} from 'node:events';
import type {ServerHttp2Session} from 'node:http2';
import {expect, test} from 'vitest';
import {endWhenIdle} from './idle.ts';

/** A connection whose time is told by the test. */
class Session extends EventEmitter {
  ended = '';
  still: () => void = () => undefined;

  setTimeout(_ms: number, still: () => void): void {
    this.still = still;
  }

  close(): void {
    this.ended = 'closed';
  }

  destroy(): void {
    this.ended = 'destroyed';
  }

  /** Somebody asks. */
  ask(): EventEmitter {
    const stream = new EventEmitter();
    this.emit('stream', stream);
    return stream;
  }
}

function open(): Session {
  const session = new Session();
  endWhenIdle(session as unknown as ServerHttp2Session, 90_000);
  return session;
}

test('a connection on which nothing was ever asked is cut', () => {
  const session = open();
  session.still();
  expect(session.ended).toBe('destroyed');
});

test('one whose answers are through is closed', () => {
  const session = open();
  session.ask().emit('close');
  session.still();
  expect(session.ended).toBe('closed');
});

test('one with a watch stays, until the watch has ended', () => {
  const session = open();
  const watch = session.ask();
  session.ask().emit('close');
  session.still();
  expect(session.ended).toBe('');
  watch.emit('close');
  session.still();
  expect(session.ended).toBe('closed');
});
