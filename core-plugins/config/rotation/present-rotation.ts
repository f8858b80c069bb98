import type { ColumnRotation, SecretRotation } from '#kernel'

/** What a rotation says to its operator. */
interface PresentedRotation {
  readonly lines: readonly string[]
  /** Whether every secret is under the first key now. */
  readonly isComplete: boolean
}

/** Rotation → what was done column by column, and which keys of the ring nothing needs any more. */
export function presentRotation({ columns, opened }: SecretRotation): PresentedRotation {
  const met = columns.filter(({ resealed, current, unreadable }) => resealed + current + unreadable > 0)
  const unreadable = met.filter((column) => column.unreadable > 0)
  const keys = opened.slice(1).map(presentKey)
  return {
    lines: [
      ...(met.length > 0 ? met.map(presentColumn) : ['There are no secrets.']),
      ...(unreadable.length > 0 ? ['The key of what is unreadable is missing from CONFIG_FERNET_KEYS.'] : []),
      ...keys,
      ...(keys.length > 0 ? ['Backups that were made before need the keys of their day.'] : []),
    ],
    isComplete: unreadable.length === 0 && opened.slice(1).every((count) => count === 0),
  }
}

function presentColumn({ table, column, resealed, current, unreadable }: ColumnRotation): string {
  return `${table}.${column}: ${resealed} resealed, ${current} current, ${unreadable} unreadable.`
}

function presentKey(count: number, index: number): string {
  const key = `Key ${index + 2} of CONFIG_FERNET_KEYS`
  if (count === 0) return `${key} is no longer needed.`
  return `${key} still opens ${count}: a host seals under it. Start every host with the new first key and run this again.`
}
