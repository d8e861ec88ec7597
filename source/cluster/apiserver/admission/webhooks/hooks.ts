// The webhooks that are registered, in the order in which they are called: configurations by name, and in each as they are
// listed. The lists are made anew when a configuration changes, so a server without webhooks pays one look at a length.
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
} from '../../../../api/kinds/admissionregistration-v1.ts';
import {compareStrings} from '../../../../api/meta/go-text.ts';
import type {Dice} from '../../../../sim/dice.ts';
import type {ResourceCache} from '../../cache/resource-cache.ts';
import type {ServedResources} from '../../registry/served.ts';

/** One webhook, and the configuration that it stands in. */
export interface Hook {
  readonly stage: 'mutating' | 'validating';
  readonly configuration: string;
  readonly spec: MutatingWebhook | ValidatingWebhook;
  /** Twins have the same name: this tells them apart. */
  readonly id: string;
  /** Asked again when somebody changed the object after it. */
  readonly reinvoked: boolean;
}

const GROUP = 'admissionregistration.k8s.io';
const NONE: readonly Hook[] = Object.freeze([]);

/** All webhooks of a server. */
export class Webhooks {
  /** Names each call. */
  readonly dice: Dice;
  readonly #lists = {mutating: NONE, validating: NONE};

  constructor(dice: Dice) {
    this.dice = dice;
  }

  get mutating(): readonly Hook[] {
    return this.#lists.mutating;
  }

  get validating(): readonly Hook[] {
    return this.#lists.validating;
  }

  /** Is there any? */
  get any(): boolean {
    return this.#lists.mutating.length + this.#lists.validating.length > 0;
  }

  /** Begins to follow the configurations, once the caches are filled. */
  follow(resources: ServedResources): void {
    for (const stage of ['mutating', 'validating'] as const) {
      const {cache} = resources.of(`${stage}webhookconfigurations`, GROUP);
      const read = (): void => {
        this.#lists[stage] = hooksOf(cache, stage);
      };
      cache.on(read);
      if (cache.size > 0) read();
    }
  }
}

function hooksOf(cache: ResourceCache, stage: Hook['stage']): readonly Hook[] {
  const configurations = cache.objects().toSorted((a, b) => compareStrings(a.metadata.name, b.metadata.name));
  return configurations.flatMap(configuration => {
    const seen = new Map<string, number>();
    return ((configuration as unknown as MutatingWebhookConfiguration).webhooks ?? []).map((spec): Hook => {
      const twin = seen.get(spec.name) ?? 0;
      seen.set(spec.name, twin + 1);
      const {name} = configuration.metadata;
      return {
        stage,
        configuration: name,
        spec,
        id: `${name}/${spec.name}/${twin}`,
        reinvoked: spec.reinvocationPolicy === 'IfNeeded',
      };
    });
  });
}
