/** The languages messages are written in. */
export type Locale = 'en' | 'zh-CN'

/** The language of an answer: the one that the Accept-Language header weighs most, English otherwise. */
export function localeOf(acceptLanguage: string | undefined): Locale {
  let best: Locale = 'en'
  let bestWeight = 0
  for (const entry of acceptLanguage?.split(',') ?? []) {
    const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';')
    const weight = weightOf(parameters)
    const locale = localeOfTag(tag.trim())
    if (locale === undefined || weight <= bestWeight) continue
    best = locale
    bestWeight = weight
  }
  return best
}

function localeOfTag(tag: string): Locale | undefined {
  if (tag === 'zh' || tag.startsWith('zh-')) return 'zh-CN'
  if (tag === '*' || tag === 'en' || tag.startsWith('en-')) return 'en'
  return undefined
}

function weightOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.trim().startsWith('q='))
  const weight = given === undefined ? 1 : Number(given.trim().slice(2))
  return Number.isFinite(weight) ? weight : 0
}
