import { createHash } from 'node:crypto'

const words = /[\p{L}\p{M}\p{N}]+/gu
/** Written without spaces. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u
/** Such as "the", which say little of what a text is about. */
const shortWord = 3

/**
 * A vector of length 1 that is the more like another one, the more words, parts of words and neighbouring characters the texts have in
 * common: each turns one of the axes, which is feature hashing as Weinberger et al. (2009) have it. It knows no meanings.
 */
export function demoVector(text: string, dimensions: number): readonly number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const [feature, weight] of featuresOf(text)) {
    const hash = createHash('sha256').update(feature).digest()
    const axis = hash.readUInt32BE(0) % dimensions
    vector[axis] = (vector[axis] ?? 0) + (hash.readUInt8(4) % 2 === 0 ? weight : -weight)
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector.with(0, 1) : vector.map((each) => each / length)
}

/** Each once, so that what is said often does not drown the rest. */
function featuresOf(text: string): ReadonlyMap<string, number> {
  const features = new Map<string, number>()
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(words)) {
    const letters = Array.from(word)
    if (dense.test(word)) {
      for (const letter of letters) features.set(letter, 0.4)
      for (let at = 0; at + 1 < letters.length; at++) features.set(letters.slice(at, at + 2).join(''), 1)
      continue
    }
    features.set(word, letters.length <= shortWord ? 0.2 : 1)
    if (letters.length <= shortWord) continue
    for (let at = 0; at + 3 <= letters.length; at++) features.set(`_${letters.slice(at, at + 3).join('')}`, 0.5)
  }
  return features
}
