/**
 * How many a second ended while all clients were at it: the first quarter warms up (new connections of PostgreSQL
 * compile what they run), and in the last tenth some clients have nothing left to do. Takes the times of all ends, in ms.
 */
export function steadyRate(ends: readonly number[]): number {
  const sorted = ends.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.floor(sorted.length / 4), Math.ceil(sorted.length * 0.9));
  const [first = Number.NaN, last = Number.NaN] = [middle[0], middle.at(-1)];
  return ((middle.length - 1) * 1000) / (last - first);
}
