import type { UsableAgent } from '../../agents/contract.ts'
import type { RatedAgent, RoutedMessage } from './candidate.ts'
import { findPatterns } from './patterns.ts'

/** Of an agent of which one rule holds; each further one takes a fifth of what is left. */
const oneRule = 0.9

/** The agents whose administrators said that such messages are theirs, the one with most rules that hold first. */
export function ratedByRules(message: RoutedMessage, agents: readonly UsableAgent[]): readonly RatedAgent[] {
  const sources = [...new Set(agents.flatMap(({ definition }) => definition.routing?.patterns ?? []))]
  const found = findPatterns(sources, message.text)
  return agents
    .flatMap((agent) => {
      const held = rulesThatHold(message, agent, found)
      const confidence = 1 - (1 - oneRule) * 0.8 ** (held.length - 1)
      return held.length > 0 ? [{ agent, confidence, reason: `rules: ${held.join(', ')}` }] : []
    })
    .sort((a, b) => b.confidence - a.confidence)
}

function rulesThatHold(
  { text, roles, attachmentTypes }: RoutedMessage,
  { definition }: UsableAgent,
  found: ReadonlySet<string>,
): readonly string[] {
  const { keywords = [], patterns = [], roles: wanted = [], attachment_types: types = [] } = definition.routing ?? {}
  const said = plain(text)
  return [
    ...keywords.filter((keyword) => holds(said, plain(keyword))),
    ...patterns.filter((pattern) => found.has(pattern)).map(() => 'a pattern'),
    ...types.filter((type) => attachmentTypes.some((own) => isOfType(own, type))).map((type) => `file ${type}`),
    ...wanted.filter((role) => roles.includes(role)).map((role) => `role ${role}`),
  ]
}

/** `image/*` names all of a kind. */
function isOfType(own: string, wanted: string): boolean {
  return wanted.endsWith('/*') ? own.startsWith(wanted.slice(0, -1)) : own === wanted
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** Words stand on their own; what is written without spaces is found anywhere. */
function holds(said: string, keyword: string): boolean {
  for (let at = said.indexOf(keyword); keyword !== '' && at !== -1; at = said.indexOf(keyword, at + 1)) {
    const [before = '', after = ''] = [said[at - 1], said[at + keyword.length]]
    const [first = '', last = ''] = [keyword[0], keyword.at(-1)]
    if (!(isLetter(before) && isLetter(first)) && !(isLetter(after) && isLetter(last))) return true
  }
  return false
}

/** Of a script that puts spaces between words. */
function isLetter(character: string): boolean {
  return (
    /[\p{L}\p{N}]/u.test(character) &&
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(character)
  )
}
