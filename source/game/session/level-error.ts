/** A level whose cluster cannot be built: what the API server said of an object. */
export class LevelError extends Error {}
