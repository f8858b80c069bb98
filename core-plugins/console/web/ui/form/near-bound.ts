/** From which part of a bound on it is told how much is left. */
const near = 0.8

/** How much of how much is used, once that is worth saying. */
export function nearBound(used: number, most: number | null | undefined): { used: number; most: number } | undefined {
  return typeof most === 'number' && used >= near * most ? { used, most } : undefined
}
