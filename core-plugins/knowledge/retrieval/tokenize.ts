const word = /[\p{L}\p{M}\p{N}]+/gu
/** Han, Hiragana, Katakana with its long mark, and Hangul: written without spaces, or with endings grown to the word. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+/gu
const latin = /^[a-zà-öø-ÿ]+$/
const longestTerm = 64

/**
 * The terms of a text, for documents and questions alike: NFKC, lower case, words without their usual endings, and pairs of neighbours for
 * Chinese, Japanese and Korean.
 */
export function tokenize(text: string): string[] {
  const terms: string[] = []
  for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(word)) {
    let at = 0
    for (const found of run.matchAll(dense)) {
      addWord(run.slice(at, found.index), terms)
      addPairs(found[0], terms)
      at = found.index + found[0].length
    }
    addWord(run.slice(at), terms)
  }
  return terms
}

function addWord(text: string, terms: string[]): void {
  if (text !== '') terms.push((latin.test(text) ? stem(text) : text).slice(0, longestTerm))
}

function addPairs(run: string, terms: string[]): void {
  const letters = Array.from(run)
  if (letters.length === 1) terms.push(run)
  for (let at = 0; at + 1 < letters.length; at++) terms.push(`${letters[at] ?? ''}${letters[at + 1] ?? ''}`)
}

/** Takes plural and verb endings off, and a final `e` or `y`, so that forms of a word meet; no root of a dictionary comes out. */
function stem(text: string): string {
  if (text.length < 4) return text
  const singular = text.replace(/(?<=[^s])s$/, '').replace(/ie$/, 'y')
  const bare = singular.length > 5 ? singular.replace(/(ing|ed)$/, '') : singular.replace(/(?<=[^e])ed$/, '')
  const undoubled = bare === singular ? bare : bare.replace(/([bdfgklmnprt])\1$/, '$1')
  return undoubled.replace(/(?<=...)e$/, '').replace(/(?<=..)y$/, 'i')
}

/** How often each term is there. */
export function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
