/** What somebody does not want to see of a number of things, and in which order they want the rest. */
export interface Arrangement {
  readonly hidden: readonly string[]
  readonly order: readonly string[]
}

/** Things that nobody has placed come where they are by themselves, behind those that were before them. */
export function inOrder<T extends { readonly key: string }>(
  things: readonly T[],
  order: readonly string[],
): readonly T[] {
  const placeOf = (key: string): number => {
    const own = order.indexOf(key)
    if (own >= 0) return own
    const before = things[things.findIndex((thing) => thing.key === key) - 1]
    return before ? placeOf(before.key) + 0.001 : -1
  }
  return things.toSorted((one, other) => placeOf(one.key) - placeOf(other.key))
}
