import { tokensOf } from './tokens.ts'
import type { Summary, Turn } from './types.ts'

const mostSentences = 3_000
const longestSentence = 400
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * What turns come to, in their own words and without a model: what was wanted first, the sentences of the user that say most by TF-IDF
 * (Luhn 1958; Spärck Jones 1972), and the end of each answer. `previous` is what was said before them.
 */
export function extract(turns: readonly Turn[], previous: Summary | undefined, mostTokens: number): Summary {
  const asked = turns.flatMap((turn) => turn.filter(({ role }) => role === 'user').map(({ content }) => content))
  const goal = previous?.goal || (sentencesOf(asked[0] ?? '')[0] ?? '')
  const budget = new Budget(mostTokens - tokensOf(goal))
  const decisions = takeLast(turns.flatMap(decisionOf), budget.share(0.35))
  const tools = takeLast([...new Set(turns.flatMap(toolsOf))], budget.share(0.1))
  const sentences = asked.flatMap(sentencesOf).slice(-mostSentences)
  const facts = heaviest([...(previous?.facts ?? []), ...sentences.filter((each) => each !== goal)], budget.share(0.45))
  const old = (name: 'open_items' | 'preferences') => takeLast(previous?.[name] ?? [], budget.share(0.05))
  return {
    ...{ goal, facts, decisions: [...takeLast(previous?.decisions ?? [], budget.share(0.1)), ...decisions] },
    ...{ open_items: old('open_items'), preferences: old('preferences'), tool_state: tools, verbatim: [] },
  }
}

class Budget {
  readonly #tokens: number

  constructor(tokens: number) {
    this.#tokens = Math.max(0, tokens)
  }

  share(part: number): number {
    return Math.floor(this.#tokens * part)
  }
}

function decisionOf(turn: Turn): readonly string[] {
  const answer = turn.findLast(({ role, content }) => role === 'assistant' && content.trim() !== '')
  return answer ? sentencesOf(answer.content).slice(-1) : []
}

function toolsOf(turn: Turn): readonly string[] {
  return turn.flatMap(({ said }) =>
    said.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool_call' ? [`${part.name} was called`] : [])),
    ),
  )
}

function sentencesOf(text: string): readonly string[] {
  return text
    .toWellFormed()
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => (each.length > longestSentence ? `${each.slice(0, longestSentence - 1).toWellFormed()}…` : each))
}

/** The last of them that have at most so many tokens, in their order. */
function takeLast(texts: readonly string[], mostTokens: number): readonly string[] {
  let tokens = 0
  const fits = texts.toReversed().filter((text) => (tokens += tokensOf(text)) <= mostTokens)
  return fits.toReversed()
}

/** Those that say most, in their order. */
function heaviest(sentences: readonly string[], mostTokens: number): readonly string[] {
  const unique = [...new Set(sentences)]
  const terms = unique.map(termsOf)
  const frequency = new Map<string, number>()
  for (const each of terms) for (const term of new Set(each)) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  const weigh = (each: readonly string[]): number => {
    const sum = each.reduce((all, term) => all + Math.log(1 + unique.length / (frequency.get(term) ?? 1)), 0)
    return sum / Math.sqrt(each.length + 1)
  }
  const order = unique
    .map((_, at) => ({ at, weight: weigh(terms[at] ?? []) }))
    .sort((a, b) => b.weight - a.weight || a.at - b.at)
  let tokens = 0
  const kept = new Set<number>()
  for (const { at } of order) {
    const size = tokensOf(unique[at] ?? '')
    if (tokens + size > mostTokens) continue
    tokens += size
    kept.add(at)
  }
  return unique.filter((_, at) => kept.has(at))
}

function termsOf(sentence: string): readonly string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(sentence.toLowerCase())) if (isWordLike) words.push(segment)
  return words
}
