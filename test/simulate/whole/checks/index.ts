// All checks of a whole cluster.
import type {Check} from './check.ts';
import {ADDRESSES} from './addresses.ts';
import {BINDINGS} from './bindings.ts';
import {BUDGETS} from './budgets.ts';
import {CLAIMS} from './claims.ts';
import {COUNTS} from './counts.ts';
import {ENDPOINTS} from './endpoints.ts';
import {JOBS} from './jobs.ts';
import {ORDINALS} from './ordinals.ts';
import {ENDINGS} from './endings.ts';
import {eventCheck} from './events.ts';
import {QUOTAS} from './quotas.ts';
import {ROLLOUTS} from './rollouts.ts';
import {SCHEDULES} from './schedules.ts';
import {STATUSES} from './statuses.ts';
import {uidCheck} from './uids.ts';

/** The checks of one run. */
export const checksOf = (): readonly Check[] => [
  uidCheck(),
  eventCheck(),
  ADDRESSES,
  BINDINGS,
  BUDGETS,
  CLAIMS,
  COUNTS,
  ENDPOINTS,
  JOBS,
  ORDINALS,
  ENDINGS,
  QUOTAS,
  ROLLOUTS,
  SCHEDULES,
  STATUSES,
];
