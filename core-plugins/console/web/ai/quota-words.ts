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

/** What its amounts count. */
export function unitOf({ metric }: { readonly metric: string }): string {
  return say(metric === 'cost' ? 'ai.units.cost' : `ai.metrics.${metric}`)
}

/** What a quota means, in a sentence. */
export function sentenceOf(
  quota: Parameters<typeof limitOf>[0] & Parameters<typeof windowOf>[0] & QuotaManner,
  whose: string,
): string {
  const [share] = quota.per
  const facts = { whose, limit: limitOf(quota), window: windowOf(quota) }
  const sentence = say(`ai.sentence.${quota.mode}`, facts)
  return share === undefined ? sentence : `${sentence} ${say('ai.sentence.per', { each: say(`ai.pers.${share}`) })}`
}

interface QuotaManner {
  readonly mode: string
  readonly per: readonly string[]
}
