/** The name that was most likely meant; none where all are far from it. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(name.length / 3))
  const ranked = known.map((one) => ({ one, slips: distance(name, one) })).sort((a, b) => a.slips - b.slips)
  const [best] = ranked
  return best && best.slips <= most ? best.one : undefined
}

/** How many letters have to be put in, left out, changed or swapped with their neighbour (Damerau 1964, each place edited once). */
export function distance(one: string, other: string): number {
  const width = other.length + 1
  const cost = new Uint16Array((one.length + 1) * width)
  const at = (row: number, column: number): number => cost[row * width + column] ?? 0
  for (let row = 0; row <= one.length; row++) cost[row * width] = row
  for (let column = 0; column <= other.length; column++) cost[column] = column
  for (let row = 1; row <= one.length; row++) {
    for (let column = 1; column <= other.length; column++) {
      const change = one[row - 1] === other[column - 1] ? 0 : 1
      let best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + change)
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && isSwapped) best = Math.min(best, at(row - 2, column - 2) + 1)
      cost[row * width + column] = best
    }
  }
  return at(one.length, other.length)
}
