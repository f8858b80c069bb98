import { UsageError, wholeNumber } from './command.ts'

/** The option with the folder of an index. */
export const indexOption = 'the folder of the index; this folder unless given'
/** The option with the pin of an index. */
export const rootOption = 'the fingerprint of its root.json, as the keeper tells it; whatever root it has unless given'
/** The option with the days until an index is no longer fresh. */
export const expiresOption = 'days until clients call the index stale; 14 unless given'

/** What --expires-days says. */
export function expiresDays(value: string | undefined): number {
  return wholeNumber(value, 'expires-days', 1, 3_650, 14)
}

/** `name@version` in its two parts. */
export function splitRelease(text: string): readonly [name: string, version: string] {
  const at = text.indexOf('@')
  if (at < 1 || at === text.length - 1) throw new UsageError(`${text} is no release: write name@version.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** A moment from an option, for what is to come out the same every time; now without one. */
export function momentOf(value: string | undefined, name: string): Date {
  if (value === undefined) return new Date()
  const moment = new Date(value)
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(value) || Number.isNaN(moment.getTime()))
    throw new UsageError(`--${name} is a moment such as 2026-03-01 or 2026-03-01T09:00:00Z.`)
  return moment
}

/** What --root says. */
export function pinnedRoot(root: string | undefined): string | undefined {
  if (root !== undefined && !/^[0-9a-f]{64}$/.test(root)) throw new UsageError('--root is 64 hexadecimal digits.')
  return root
}
