/** How much a second occurrence adds, and how much length takes, as Robertson and Zaragoza (2009) have them. */
const k1 = 1.2
const b = 0.75
/**
 * What a term that no chunk has takes from a score, of the most that one can weigh; less where no spaces are written, because most such
 * pairs are the end of a word and the beginning of the next.
 */
const unknownShare = 0.25
const unknownPairShare = 0.1
const pair = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+$/u

/** What is known of the chunks that are looked in. */
export interface Corpus {
  readonly chunks: number
  /** Of all chunks together. */
  readonly terms: number
  /** In how many of them a term is. */
  readonly frequencies: ReadonlyMap<string, number>
}

/** How rare a term is: BM25's weight, never below zero. */
function weightOf({ chunks, frequencies }: Corpus, term: string): number {
  const frequency = Math.min(frequencies.get(term) ?? 0, chunks)
  return Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5))
}

/** Scores chunks for a question: BM25 over what a chunk would have that says each term once, from 0 to 1. */
export class Scorer {
  readonly #weights: ReadonlyMap<string, number>
  readonly #averageLength: number
  readonly #most: number

  constructor(questionTerms: readonly string[], corpus: Corpus) {
    const known = questionTerms.filter((term) => corpus.frequencies.has(term))
    this.#weights = new Map(known.map((term) => [term, weightOf(corpus, term)]))
    this.#averageLength = corpus.chunks > 0 ? corpus.terms / corpus.chunks : 1
    const unknown = questionTerms
      .filter((term) => !corpus.frequencies.has(term))
      .reduce((sum, term) => sum + (pair.test(term) ? unknownPairShare : unknownShare) * weightOf(corpus, ''), 0)
    this.#most = unknown + [...this.#weights.values()].reduce((sum, weight) => sum + weight, 0)
  }

  /** Of a chunk with so many occurrences of terms of the question, and so many terms in all. */
  score(occurrences: ReadonlyMap<string, number>, length: number): number {
    if (this.#most === 0) return 0
    const norm = k1 * (1 - b + (b * length) / this.#averageLength)
    let sum = 0
    for (const [term, count] of occurrences) {
      sum += ((this.#weights.get(term) ?? 0) * count * (k1 + 1)) / (count + norm)
    }
    return sum / this.#most
  }
}
