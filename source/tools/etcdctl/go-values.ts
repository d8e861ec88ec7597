// Ids as etcdctl writes them.

/** A 64-bit id as a decimal number. */
export function decimal(id: string | number): string {
  return typeof id === 'number' ? BigInt(id).toString() : id === '' ? '0' : BigInt(`0x${id}`).toString();
}

/** A lease's id as etcdctl writes it. */
export function leaseText(id: number): string {
  return BigInt(id).toString(16).padStart(16, '0');
}
