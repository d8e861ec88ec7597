// The flags of the controller that matter here.

export interface IngressFlags {
  readonly ingressClass: string;
  readonly controllerClass: string;
  readonly watchWithoutClass: boolean;
  /** `namespace/name` of the Service whose addresses go into the status of Ingresses. */
  readonly publishService: string | undefined;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly webhook: {readonly port: number; readonly certificate: string; readonly key: string} | undefined;
}

/** Reads them; `$(NAME)` has been filled in by the kubelet already. */
export function readFlags(argv: readonly string[], environment: ReadonlyMap<string, string>): IngressFlags {
  const given = new Map<string, string>();
  for (const word of argv) {
    const [, name, value] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name !== undefined)
      given.set(
        name,
        (value ?? 'true').replaceAll(/\$\((\w+)\)/g, (_, each: string) => environment.get(each) ?? ''),
      );
  }
  const webhook = given.get('validating-webhook');
  return {
    ingressClass: given.get('ingress-class') ?? 'nginx',
    controllerClass: given.get('controller-class') ?? 'k8s.io/ingress-nginx',
    watchWithoutClass: given.get('watch-ingress-without-class') === 'true',
    publishService: given.get('publish-service'),
    httpPort: Number(given.get('http-port') ?? 80),
    httpsPort: Number(given.get('https-port') ?? 443),
    webhook: webhook === undefined ? undefined : webhookOf(webhook, given),
  };
}

function webhookOf(address: string, given: ReadonlyMap<string, string>): NonNullable<IngressFlags['webhook']> {
  return {
    port: Number(address.slice(address.lastIndexOf(':') + 1)),
    certificate: given.get('validating-webhook-certificate') ?? '',
    key: given.get('validating-webhook-key') ?? '',
  };
}
