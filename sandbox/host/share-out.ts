/** Threads that can run get equal shares of what was spent, and none more than the time it was inside: the rest is the others'. */
export function shareOut(spent: number, inside: readonly number[]): readonly number[] {
  const shares = inside.map(() => 0)
  const shortestFirst = [...inside.entries()].sort(([, first], [, second]) => first - second)
  let left = spent
  let remaining = inside.length
  for (const [index, milliseconds] of shortestFirst) {
    const share = Math.min(left / remaining--, milliseconds)
    shares[index] = share
    left -= share
  }
  return shares
}
