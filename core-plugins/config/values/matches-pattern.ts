import vm from 'node:vm'

const inputCharacters = 4096
const milliseconds = 50
const script = new vm.Script('new RegExp(source, "u").test(text)')

/** Whether a text matches; patterns come from plugins too, so a runaway one is stopped and counts as no match. */
export function matchesPattern(source: string, text: string): boolean {
  if (text.length > inputCharacters) return false
  try {
    return script.runInNewContext({ source, text }, { timeout: milliseconds }) === true
  } catch {
    return false
  }
}
