// The health check ports of Services with an external policy of Local: a load balancer asks each node whether it has an endpoint.
import type {Service} from '../../api/kinds/core-v1.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {LazyTable} from './table.ts';

/** Answers on health check ports, as long as kube-proxy lives. A port whose Service is gone answers 503 from then on. */
export class HealthChecks {
  readonly #daemon: Daemon;
  readonly #table: LazyTable;
  readonly #services = new Map<number, Service>();
  readonly #open = new Set<number>();

  constructor(daemon: Daemon, table: LazyTable) {
    this.#daemon = daemon;
    this.#table = table;
  }

  /** Listens for these Services. */
  listen(services: Iterable<Service>): void {
    this.#services.clear();
    for (const service of services) {
      const port = service.spec?.healthCheckNodePort;
      if (!port) continue;
      this.#services.set(port, service);
      if (this.#open.has(port) || !this.#daemon.listen(port, call => call.answer(this.#answer(port)))) continue;
      this.#open.add(port);
    }
  }

  #answer(port: number) {
    const service = this.#services.get(port);
    const count = service ? this.#table.localEndpoints(service) : 0;
    const body = {
      service: {namespace: service?.metadata.namespace, name: service?.metadata.name},
      localEndpoints: count,
      serviceProxyHealthy: true,
    };
    return {status: count > 0 ? 200 : 503, body};
  }
}
