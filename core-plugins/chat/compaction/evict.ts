import type { NeutralMessage, NeutralPart } from '../../ai/contract.ts'
import type { CompactMessage, Turn } from './types.ts'

/** Bytes of a tool's result that are worth their place. */
const smallResult = 1_024
const preview = 120

/** Turns without the long results of tools, and without those that are there already: each becomes a line that says what it was. */
export function evictTurns(turns: readonly Turn[]): readonly Turn[] {
  const seen = new Set<string>()
  return turns.map((turn) => turn.map((message) => ({ ...message, said: evict(message.said, seen) })))
}

function evict(said: CompactMessage['said'], seen: Set<string>): CompactMessage['said'] {
  const names = new Map<string, string>()
  for (const { parts } of said) {
    for (const part of parts) if (part.type === 'tool_call') names.set(part.id, part.name)
  }
  return said.map((message) => ({ ...message, parts: message.parts.map((part) => short(part, names, seen)) }))
}

function short(
  part: NeutralPart,
  names: ReadonlyMap<string, string>,
  seen: Set<string>,
): NeutralMessage['parts'][number] {
  if (part.type !== 'tool_result') return part
  const text = part.parts.map((each) => (each.type === 'text' ? each.text : `[${each.type}]`)).join(' ')
  const bytes = Buffer.byteLength(text)
  const isRepeated = bytes > preview && seen.has(text)
  seen.add(text)
  if (bytes <= smallResult && !isRepeated) return part
  const kilobytes = `${(bytes / 1_024).toFixed(1)} KB`
  const line = text.slice(0, preview).replace(/\s+/g, ' ').trim().toWellFormed()
  const marker = `[tool ${names.get(part.callId) ?? ''}: ${line}…, ${kilobytes}, left out]`
  return { ...part, parts: [{ type: 'text', text: marker }] }
}
