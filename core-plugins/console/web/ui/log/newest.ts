/** A part of a log as the server hands it out, newest first. */
export interface LogPart<T> {
  readonly items: readonly T[]
  readonly next_cursor: string | null
  readonly has_more: boolean
}

/** What the newest part of a log says of the lines that are loaded. */
export interface Comparison<T> {
  /** Lines before the first that is loaded. */
  readonly newer: readonly T[]
  /** Whether there may be still more of them than the part holds. */
  readonly hasGap: boolean
  /** The loaded lines as they are now. */
  readonly kept: readonly T[]
  /** Whether they differ from what was loaded. */
  readonly isChanged: boolean
}

/**
 * Compares loaded lines with the newest part of the same log. As far back as the part goes it is right: what is not in it any more is gone, and
 * what is in it another way has changed. Only where nothing of it is known, it says nothing of what is loaded.
 */
export function compareNewest<T extends { readonly id: number | string }>(
  loaded: readonly T[],
  part: Pick<LogPart<T>, 'items' | 'has_more'>,
): Comparison<T> {
  const places = new Map(loaded.map(({ id }, at) => [id, at]))
  const first = part.items.findIndex(({ id }) => places.has(id))
  if (first === -1) return { newer: part.items, hasGap: part.has_more, kept: loaded, isChanged: false }
  const told = part.items.slice(first)
  const last = told.reduce((most, { id }) => Math.max(most, places.get(id) ?? -1), -1)
  const covered = part.has_more ? loaded.slice(0, last + 1) : loaded
  const isChanged = JSON.stringify(covered) !== JSON.stringify(told)
  const kept = isChanged ? [...told, ...loaded.slice(covered.length)] : loaded
  return { newer: part.items.slice(0, first), hasGap: false, kept, isChanged }
}
