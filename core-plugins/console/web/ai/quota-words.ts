import { currentLocale, say } from '../tab/i18n.ts'
import { money } from '../ui/money.ts'
import { duration } from '../ui/times.ts'

/** What a quota allows, in words. */
export function limitOf({ limit, metric }: { readonly limit: string; readonly metric: string }): string {
  const number = new Intl.NumberFormat(currentLocale()).format(limit as Intl.StringNumericLiteral)
  return metric === 'cost' ? money(limit) : `${number} ${say(`ai.metrics.${metric}`)}`
}

/** In which time it allows that. */
export function windowOf({
  window: { kind, unit, seconds },
}: {
  readonly window: { readonly kind?: string; readonly unit?: string; readonly seconds?: number }
}): string {
  if (kind === undefined) return say('ai.windows.now')
  if (kind === 'calendar') return say(`ai.windows.${unit ?? 'day'}`)
  if (kind === 'total') return say('ai.windows.total')
  return say('ai.windows.seconds', { time: duration((seconds ?? 0) * 1000) })
}
