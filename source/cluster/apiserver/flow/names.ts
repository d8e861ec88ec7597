// The parts of the server that keep the configuration of flows, as the owners of its fields are named.

/** Makes the objects that a cluster begins with. */
export const PRODUCER = 'api-priority-and-fairness-config-producer-v1';
/** Judges FlowSchemas. */
export const CONSUMER = 'api-priority-and-fairness-config-consumer-v1';
