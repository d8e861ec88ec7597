/** Why a node, or every node, is no place for a pod. */
export interface Verdict {
  /** `resolvable`: the end of other pods could change it. `failed`: the plugin could not tell. */
  readonly code: 'resolvable' | 'unresolvable' | 'failed';
  readonly reasons: readonly string[];
}
