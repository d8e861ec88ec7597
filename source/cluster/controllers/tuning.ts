// The numbers by which controllers go, as the flags of kube-controller-manager set them.

/** How long nodes may be silent, and how fast they are driven empty. */
export interface NodeTuning {
  readonly periodMs: number;
  readonly graceMs: number;
  readonly startupGraceMs: number;
  /** From one tainted node of a zone to the next; the second of a large zone most of whose nodes are not ready. */
  readonly paceMs: number;
  readonly slowPaceMs: number;
  readonly unhealthyShare: number;
  readonly largeZone: number;
}

/** When autoscalers look, and what they let pass. */
export interface AutoscalerTuning {
  readonly periodMs: number;
  readonly tolerance: number;
  readonly downscaleMs: number;
  /** For so long the CPU of a new pod says little, and it may become ready for the first time. */
  readonly startingMs: number;
  readonly firstReadyMs: number;
}

export interface Tuning {
  readonly nodes: NodeTuning;
  readonly autoscaler: AutoscalerTuning;
  /** So many pods that have ended may lie about. */
  readonly endedPods: number;
  /** How long a certificate is good that is signed for a request, at most. */
  readonly signedMs: number;
}

/** What the flags say where nobody sets them. */
export const STANDARD_TUNING: Tuning = Object.freeze({
  nodes: {
    periodMs: 5000,
    graceMs: 50_000,
    startupGraceMs: 60_000,
    paceMs: 10_000,
    slowPaceMs: 100_000,
    unhealthyShare: 0.55,
    largeZone: 50,
  },
  autoscaler: {periodMs: 15_000, tolerance: 0.1, downscaleMs: 300_000, startingMs: 300_000, firstReadyMs: 30_000},
  endedPods: 12_500,
  signedMs: 365 * 24 * 3_600_000,
});
