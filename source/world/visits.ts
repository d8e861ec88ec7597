// Asking for a URL as others would: a program in a pod, or a customer outside. Levels watch so how their visitors fare.
import type {Pod} from '../api/kinds/core-v1.ts';
import type {Answer, Request} from '../api/wire/http.ts';
import type {Clock} from '../sim/clock.ts';
import type {Dial} from '../sim/daemon.ts';
import {urlParts, type UrlParts} from './url.ts';

const REACH_WITHIN_MS = 5000;

/** An answer, or why there was none. */
type Done = (answer: Answer | string) => void;

/** Where visitors dial from. */
export interface Places {
  readonly clock: Clock;
  readonly outside: Dial;
  /** Of a pod that has an address, on a machine that is there. */
  readonly ofPod: (pod: Pod) => Dial | undefined;
}

export class Visits {
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
  }

  /** As a program in a pod would. */
  fromPod(pod: Pod | undefined, url: string, done: Done): void {
    const parts = urlParts(url);
    const dial = pod && this.#places.ofPod(pod);
    if (dial && parts) this.#fetch(dial, parts, done);
    else this.#places.clock.after(1, () => done('no pod to ask from'));
  }

  /** As a customer would. */
  fromOutside(url: string, done: Done): void {
    const parts = urlParts(url);
    if (parts) this.#fetch(this.#places.outside, parts, done);
    else this.#places.clock.after(1, () => done('no such place'));
  }

  /** Gets a URL over `dial`, within the time that a visitor is ready to wait. */
  #fetch(dial: Dial, {scheme, host, port, path}: UrlParts, done: Done): void {
    const request: Request = {method: 'GET', scheme, path, headers: {host}};
    let over = false;
    const finish: Done = answer => {
      if (!over) done(answer);
      over = true;
    };
    const caller = dial(host, port, request, {
      answer: answer => finish(answer as Answer),
      end: failure => finish(failure ?? 'closed'),
    });
    this.#places.clock.after(REACH_WITHIN_MS, () => {
      caller.cancel();
      finish('timeout');
    });
  }
}
