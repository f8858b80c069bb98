import type { UsableAgent } from '../../agents/contract.ts'
import type { RatedAgent } from './candidate.ts'
import { clearOf } from './clear-of.ts'
import { wordsOfAgent } from './words-of-agent.ts'

/** Terms of a text: words without their endings, pairs where there are no spaces. */
type TermsOf = (text: string) => readonly string[]

const mostReasons = 4
/** Of the rarest word's weight, for words that no agent knows. */
const unknown = 0.5

/** Rates agents by the words of a message that they speak of, rare ones more: what is shared with the next best counts half. */
export function ratedByWords(text: string, agents: readonly UsableAgent[], termsOf: TermsOf): readonly RatedAgent[] {
  const asked = [...new Set(termsOf(text))]
  const books = agents.map((agent) => ({ agent, terms: new Set(termsOf(wordsOfAgent(agent))) }))
  const weights = new Map(asked.map((term) => [term, weightOf(term, books)]))
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const covered = books.map(({ agent, terms }) => {
    const found = asked.filter((term) => terms.has(term))
    const weight = found.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0)
    return { agent, found, share: all > 0 ? weight / all : 0 }
  })
  return clearOf(covered, ({ found }) => {
    const best = found.toSorted((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0)).slice(0, mostReasons)
    return best.length === 0 ? '' : `matches: ${best.map((term) => wordOf(term, text, termsOf)).join(', ')}`
  })
}

/** A term as the message has it: as it stands there, or the word that it was made of. */
function wordOf(term: string, text: string, termsOf: TermsOf): string {
  const said = text.toLowerCase()
  if (said.includes(term)) return term
  return said.match(/[\p{L}\p{M}\p{N}]+/gu)?.find((word) => termsOf(word).includes(term)) ?? term
}

function weightOf(term: string, books: readonly { readonly terms: ReadonlySet<string> }[]): number {
  const knowing = books.filter(({ terms }) => terms.has(term)).length
  const rarest = Math.log(1 + books.length)
  return knowing === 0 ? rarest * unknown : Math.log(1 + books.length / knowing)
}
