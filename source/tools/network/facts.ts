// What `ip`, `ss` and `iptables-save` ask of the machine that they are typed on.

export interface NetworkFacts {
  /** The machine's own address. */
  readonly address: string;
  /** The range of its pods, as `10.244.1.0/24`; undefined while it has none. */
  readonly podRange: string | undefined;
  /** The addresses of its pods, with what tells one from another. */
  readonly pods: readonly {readonly address: string; readonly id: string}[];
  /** Where other machines' pods are. */
  readonly routes: readonly {readonly range: string; readonly via: string}[];
  /** Open ports, with who holds them where that is known. */
  readonly ports: readonly {readonly address: string; readonly port: number; readonly holder: string; readonly pid: number}[];
  /** The rules of Services, as `iptables-save` prints them. */
  readonly rules: string;
}
