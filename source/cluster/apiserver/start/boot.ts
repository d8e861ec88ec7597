// How an API server starts. It connects to etcd, or gives up after twenty seconds; it listens; it fills its caches and writes what a
// cluster must have. While etcd is there but has no leader, the caches stay empty: the server listens and knows no rules, so it
// forbids everything to all but system:masters, and after a minute it gives up too.
import type {Task} from '../../../sim/task.ts';
import type {Core} from '../core.ts';
import {DefinedVersions} from '../crd/api-services.ts';
import {DefinitionLife} from '../crd/lifecycle.ts';
import {bootstrap} from './bootstrap.ts';
import {keepServicesRight} from '../repair/index.ts';
import {keepCompacting} from '../store/compactor.ts';
import {keepEndpoints} from './server-keys.ts';

const CONNECT_MS = 20_000;
/** Caches that are not filled so soon are not waited for. */
const LISTEN_MS = 1000;
const GIVE_UP_MS = 62_000;

/** Boots the server; `listen` takes the port. The answer: does it serve now? */
export function* boot(core: Core, listen: () => boolean): Task<boolean> {
  const {daemon, etcd, feed} = core;
  daemon.print('I instance.go:240] Using reconciler: lease');
  if (!(yield* etcd.reach(CONNECT_MS))) {
    daemon.print('F instance.go:233] Error creating leases: error creating storage factory: context deadline exceeded');
    daemon.exit(255);
    return false;
  }
  keepCompacting(daemon, etcd, core.settings.compactionIntervalMs);
  let listens: boolean | undefined;
  const listenOnce = (): boolean => (listens ??= listen());
  const {clock, scope} = daemon;
  const early = scope.after(LISTEN_MS, listenOnce);
  const end = scope.after(GIVE_UP_MS, () => {
    daemon.print(
      'E storage_rbac.go:187] "Unhandled Error" err="unable to initialize clusterroles: storage is (re)initializing" logger="UnhandledError"',
    );
    daemon.print(
      'F hooks.go:204] PostStartHook "start-service-ip-repair-controllers" failed: unable to perform initial IP and Port allocation check',
    );
    daemon.exit(255);
  });
  yield* feed.start();
  clock.cancel(end);
  yield* bootstrap(core);
  core.definitions.follow();
  new DefinitionLife(core).follow();
  new DefinedVersions(core).follow();
  core.identity.keep();
  keepEndpoints(core);
  keepServicesRight(core);
  core.aggregator.start();
  core.flows.follow();
  core.webhooks.follow(core.resources);
  core.policies.follow(core.resources);
  clock.cancel(early);
  return listenOnce();
}
