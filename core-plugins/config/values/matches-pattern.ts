import vm from 'node:vm'

/** Tells whether every text matches a pattern; 'unknown' when there was no time to tell. */
export type PatternMatcher = (source: string, texts: readonly string[]) => 'yes' | 'no' | 'unknown'

const longestText = 4096
const milliseconds = 100
const script = new vm.Script('const pattern = new RegExp(source, "u"); texts.every((text) => pattern.test(text))')

/** For patterns of the platform's own plugins, which were read by people: no clock, so that no load changes the answer. */
export const matchesPattern: PatternMatcher = (source, texts) => {
  if (texts.some((text) => text.length > longestText)) return 'no'
  const pattern = new RegExp(source, 'u')
  return texts.every((text) => pattern.test(text)) ? 'yes' : 'no'
}

/** For patterns of third parties: a runaway one is stopped, all texts together having one share of time. */
export const matchesInTime: PatternMatcher = (source, texts) => {
  if (texts.some((text) => text.length > longestText)) return 'no'
  // Made before the clock runs. Only the pattern's source goes in, so nothing in there can act.
  const context = vm.createContext({ source, texts })
  try {
    return script.runInContext(context, { timeout: milliseconds }) === true ? 'yes' : 'no'
  } catch {
    return 'unknown'
  }
}
