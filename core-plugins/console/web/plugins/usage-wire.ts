import type { UsageBody, UsagePartBody } from '../../../plugin-usage/wire.ts'
import { readerZone } from '../api/me.ts'
import { parted, periodOf } from '../ui/chart/period.ts'
import type { Stretch } from '../ui/chart/shown-time.ts'

/** What calls of plugins did and cost. */
export type PluginUse = UsageBody
/** A part of the time that figures are of. */
export type UsePart = UsagePartBody

/** What is asked for to see the last so many hours, or a part of them alone: its parts, and whole days of the reader's where they are many. */
export function askedFor(hours: number, shown?: Stretch): Readonly<Record<string, string | number>> {
  if (shown) return { ...parted(shown, readerZone()) }
  return hours <= 1 ? { hours } : { ...periodOf(hours / 24, readerZone()) }
}

/** Errors by where their cause lies. */
export const errorClasses = ['plugin', 'limit', 'upstream', 'host'] as const

/** All errors together. */
export function errorsOf({ errors }: PluginUse): number {
  return errors.plugin + errors.limit + errors.upstream + errors.host
}
