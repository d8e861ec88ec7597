// What the parts of the API server share: the process it runs in, its settings, its connection to etcd, its caches, and the
// questions that many parts ask.
import type {GeneratedNames} from './registry/generated-names.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Task} from '../../sim/task.ts';
import type {Refused} from './http/refused.ts';
import type {ResourceFacts} from '../../api/meta/resources.ts';
import type {AdmissionPolicies} from './admission/policies/policies.ts';
import type {Webhooks} from './admission/webhooks/hooks.ts';
import type {Aggregator} from './aggregator.ts';
import type {User} from './auth/user.ts';
import type {Tokens} from './auth/tokens.ts';
import type {Bookmarks} from './cache/bookmarks.ts';
import type {Feed} from './cache/feed.ts';
import type {Definitions} from './crd/definitions.ts';
import type {Access, Decision} from './rbac/access.ts';
import type {EtcdConnection} from './store/connection.ts';
import type {ServedResources} from './registry/served.ts';
import type {Audit} from './audit/audit.ts';
import type {Settings} from './settings.ts';
import type {IdentityLease} from './start/identity-lease.ts';
import type {Addresses} from './strategy/addresses.ts';
import type {EventLeases} from './store/event-leases.ts';
import type {Flows} from './flow/flows.ts';
import type {Counts} from './http/counts.ts';
import type {RbacIndex} from './rbac/index.ts';

/** The inside of a running API server. */
export interface Core {
  readonly daemon: Daemon;
  readonly settings: Settings;
  /** The audit log, where one is kept. */
  readonly audit: Audit | undefined;
  readonly etcd: EtcdConnection;
  readonly feed: Feed;
  readonly bookmarks: Bookmarks;
  readonly resources: ServedResources;
  readonly tokens: Tokens;
  readonly rbac: RbacIndex;
  readonly addresses: Addresses;
  readonly eventLeases: EventLeases;
  readonly aggregator: Aggregator;
  readonly names: GeneratedNames;
  readonly webhooks: Webhooks;
  readonly policies: AdmissionPolicies;
  /** What CustomResourceDefinitions describe. */
  readonly definitions: Definitions;
  readonly counts: Counts;
  readonly flows: Flows;
  /** When the process began, by its machine's clock. */
  readonly startedAt: number;
  readonly identity: IdentityLease;
  /** The resources of the server itself, in the order of discovery. */
  readonly builtin: readonly ResourceFacts[];
  /** Makes a namespace for nobody's request. */
  readonly createNamespace: (name: string) => Task<AnyObject | Refused>;
  /** May this user do that? */
  authorize(user: User, access: Access): Decision;
}
