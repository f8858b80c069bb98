import type { MemoryRow } from '../tables.ts'
import { trigramsOf } from '../text-form.ts'

/** What ranking looks at. */
type Rankable = Pick<MemoryRow, 'text' | 'kind' | 'confidence' | 'updatedAt' | 'usedAt'>

/** Ranks of two lists count together: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009. */
const fusion = 60
const halfLifeMs = 60 * 86_400_000
/** Characters of what memories are compared with. */
const longestQuestion = 20_000
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Memories by how much they have to do with a text, by words and by trigrams, and by how fresh they are; the first is the most useful. */
export function rank<M extends Rankable>(memories: readonly M[], text: string, now = Date.now()): readonly M[] {
  const words = wordScores(memories, text)
  const asked = trigramsOf(text.slice(0, longestQuestion))
  const shapes = memories.map((memory) => {
    const own = trigramsOf(memory.text)
    return own.size === 0 ? 0 : [...own].filter((each) => asked.has(each)).length / own.size
  })
  const places = [placesOf(words), placesOf(shapes)]
  return memories
    .map((memory, at) => {
      const fused = places.reduce((sum, list) => sum + (list[at] === undefined ? 0 : 1 / (fusion + list[at])), 0)
      // How one likes to be answered has to do with every question.
      const always = memory.kind === 'preference' ? 1 / fusion : 0
      const age = now - Math.max(memory.updatedAt.getTime(), memory.usedAt?.getTime() ?? 0)
      const recency = 0.5 + 0.5 * 0.5 ** (Math.max(0, age) / halfLifeMs)
      return { memory, at, score: (fused + always + 1 / (fusion * 10)) * recency * (0.5 + memory.confidence / 2) }
    })
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .map(({ memory }) => memory)
}

/** The place of each score that is above 0, counted from 1; equal ones share theirs. */
function placesOf(scores: readonly number[]): readonly (number | undefined)[] {
  const order = [...new Set(scores.filter((score) => score > 0))].sort((a, b) => b - a)
  return scores.map((score) => (score > 0 ? order.indexOf(score) + 1 : undefined))
}

/** The summed rarity of the words that a memory has in common with the text. */
function wordScores(memories: readonly Rankable[], text: string): readonly number[] {
  const asked = wordsOf(text)
  const all = memories.map((memory) => wordsOf(memory.text))
  const frequency = new Map<string, number>()
  for (const words of all) for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  return all.map((words) =>
    [...words]
      .filter((word) => asked.has(word))
      .reduce((sum, word) => sum + Math.log(1 + all.length / (frequency.get(word) ?? 1)), 0),
  )
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const { segment, isWordLike } of segmenter.segment(text.slice(0, longestQuestion).toLowerCase())) {
    if (isWordLike) words.add(segment)
  }
  return words
}
