// Cluster addresses and node ports of Services: which are taken, and which one the next Service gets.
/** Hands out addresses. */
export class Addresses {
  readonly range: string;
  constructor(range: string) {
    this.range = range;
  }
}
