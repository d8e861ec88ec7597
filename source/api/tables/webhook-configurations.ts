// The rows of configurations of webhooks, validating and mutating.
import type {MutatingWebhookConfiguration, ValidatingWebhookConfiguration} from '../kinds/admissionregistration-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, Webhooks, Age. */
export function webhooksRow(
  configuration: MutatingWebhookConfiguration | ValidatingWebhookConfiguration,
  nowMs: number,
): readonly Cell[] {
  return [configuration.metadata.name, configuration.webhooks?.length ?? 0, age(configuration, nowMs)];
}
