import type { NeutralMessage, NeutralPart } from '../../ai/contract.ts'
import { bytesPerToken, tokensIn, tokensOf } from './tokens.ts'

const least = 64
const rounding = 4
const marker = '\n[… cut …]\n'

/**
 * Messages that have at most so many tokens: the longest texts lose their middle, each at most once. Where that is not enough, because
 * there are too many of them, what is left is as short as it gets. Calls and results stay where they are.
 */
export function cutToFit(messages: readonly NeutralMessage[], mostTokens: number): readonly NeutralMessage[] {
  if (tokensIn(messages) <= mostTokens) return messages
  let over = bytesOf(messages) - mostTokens * bytesPerToken
  const cut = messages.map(({ parts, ...message }) => ({ ...message, parts: [...parts] }))
  const texts = cut
    .flatMap(({ parts }) => parts.map((part, at) => ({ parts, at, tokens: tokensOf(textOf(part)) })))
    .sort((a, b) => b.tokens - a.tokens)
  for (const { parts, at, tokens } of texts) {
    if (over <= 0 || tokens <= least * 2) break
    const part = parts[at]
    if (!part) continue
    const wanted = tokens - Math.ceil(over / bytesPerToken) - tokensOf(marker) - rounding
    const shorter = shorten(part, Math.max(least, wanted))
    over -= bytesOf(part) - bytesOf(shorter)
    parts[at] = shorter
  }
  return cut
}

/** A text without its middle, of about so many tokens. */
export function cutMiddle(text: string, mostTokens: number): string {
  if (tokensOf(text) <= mostTokens) return text
  // What is left has the same share of each: the beginning says what it is about, the end what is wanted.
  const share = mostTokens / tokensOf(text)
  const half = Math.max(1, Math.floor((text.length * share) / 2))
  return `${text.slice(0, half)}${marker}${text.slice(-half)}`.toWellFormed()
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function textOf(part: NeutralPart): string {
  if (part.type === 'text') return part.text
  return part.type === 'tool_result' ? part.parts.map(textOf).join('') : ''
}

function shorten(part: NeutralPart, mostTokens: number): NeutralPart {
  if (part.type === 'text') return { ...part, text: cutMiddle(part.text, mostTokens) }
  if (part.type !== 'tool_result') return part
  return { ...part, parts: [{ type: 'text', text: cutMiddle(textOf(part), mostTokens) }] }
}
