// Versions of a custom kind that become each other by a webhook of the definition's owner. Objects lie in etcd in the version in which
// they were written; whoever reads or writes another one waits for the webhook. What it made of an object is remembered as long as
// the object is: that is what the real server's caches do, of which each version has its own.
//
// Not modelled: an admission webhook that is matched by another version (matchPolicy Equivalent) is shown the object as strategy None
// would convert it.
import type {CustomResourceDefinition} from '../../../api/kinds/apiextensions-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {plainError} from '../../../api/meta/status.ts';
import type {Task} from '../../../sim/task.ts';
import {exchange} from '../admission/webhooks/exchange.ts';
import {addressOf, greetingOf} from '../admission/webhooks/target.ts';
import type {Core} from '../core.ts';
import {refuse, Refused} from '../http/refused.ts';
import {acceptConverted, conversionReview, convertedIn} from './convert-review.ts';

const WAIT_SECONDS = 30;

/** Between one served version of a kind and whatever is stored. */
export class Converter {
  readonly #core: () => Core;
  readonly #definition: CustomResourceDefinition;
  readonly #served: string;
  readonly #stored: string;
  readonly #views = new WeakMap<AnyObject, AnyObject>();

  constructor(
    core: () => Core,
    definition: CustomResourceDefinition,
    versions: {readonly served: string; readonly stored: string},
  ) {
    this.#core = core;
    this.#definition = definition;
    this.#served = versions.served;
    this.#stored = versions.stored;
  }

  /** What the webhook made of a stored object, where it was asked already. */
  known(object: AnyObject): AnyObject | undefined {
    return this.#views.get(object);
  }

  /** A stored object in the served version. */
  *view(object: AnyObject): Task<AnyObject | Refused> {
    if (object.apiVersion === this.#served) return object;
    const known = this.#views.get(object);
    if (known) return known;
    const made = yield* this.#convert(object, this.#served);
    if (!(made instanceof Refused)) this.#views.set(object, made);
    return made;
  }

  /** Sees to it that some stored objects can be shown. */
  *prepare(objects: readonly AnyObject[]): Task<Refused | undefined> {
    for (const object of objects) {
      const view: AnyObject | Refused = yield* this.view(object);
      if (view instanceof Refused) return view;
    }
    return undefined;
  }

  /** An object as it is to be stored. */
  *store(object: AnyObject): Task<AnyObject | Refused> {
    return object.apiVersion === this.#stored ? object : yield* this.#convert(object, this.#stored);
  }

  *#convert(object: AnyObject, apiVersion: string): Task<AnyObject | Refused> {
    const {apiVersion: from, kind} = object;
    const say = (why: string): Refused => refuse(plainError(`conversion webhook for ${from}, Kind=${kind} ${why}`));
    const came = yield* this.#ask(object, apiVersion);
    if (typeof came === 'string') return say(`failed: ${came}`);
    if (came.length !== 1) return say(`returned ${came.length} objects, expected 1`);
    const accepted = acceptConverted(object, came[0], apiVersion);
    return typeof accepted === 'string' ? say(accepted) : accepted;
  }

  *#ask(object: AnyObject, apiVersion: string): Task<readonly unknown[] | string> {
    const core = this.#core();
    const {clientConfig = {}, conversionReviewVersions: reviews = []} = this.#definition.spec.conversion?.webhook ?? {};
    const address = addressOf(clientConfig, WAIT_SECONDS);
    const hello = greetingOf(clientConfig.caBundle, address, core.daemon.wall());
    if (typeof hello === 'string') return hello;
    const {path, query, url} = address;
    const body = conversionReview(object, {apiVersion, reviews, uid: core.webhooks.dice.uuid()});
    const headers = {'user-agent': 'kube-apiserver', 'content-type': 'application/json'};
    const request = {method: 'POST' as const, scheme: 'https' as const, path, query, headers, body, hello};
    const answer = yield* exchange(core, {address, request, withinMs: WAIT_SECONDS * 1000});
    if (typeof answer !== 'string') return convertedIn(answer, body);
    return `Post ${JSON.stringify(url)}: ${answer === 'late' ? 'context deadline exceeded' : answer}`;
  }
}

/** Does a definition name a webhook for it? */
export function hasConverter({spec}: CustomResourceDefinition): boolean {
  return spec.conversion?.strategy === 'Webhook';
}
