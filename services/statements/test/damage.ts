/** A few bytes changed, removed, repeated, or the end cut off. */
export function damage(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  const at = random(bytes.length);
  const length = 1 + random(40);
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at + length)];
  const middle = [
    () => Uint8Array.from({ length }, () => random(256)),
    () => new Uint8Array(),
    () => Uint8Array.from([...bytes.subarray(at, at + length), ...bytes.subarray(at, at + length)]),
    () => Uint8Array.from({ length }, () => 48 + random(10)),
  ][random(4)];
  if (random(10) === 0) return head;
  return Uint8Array.from([...head, ...(middle?.() ?? []), ...tail]);
}
