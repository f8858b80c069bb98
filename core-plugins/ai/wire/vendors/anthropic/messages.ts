import { cannotCarry } from '../../faults.ts'
import { present } from '../../json.ts'
import type { MediaSource, NeutralMessage, NeutralPart, NeutralReasoning, NeutralToolCall } from '../../neutral.ts'
import { argumentsOf } from '../../call-arguments.ts'

type Drop = (field: string) => void
type Block = Readonly<Record<string, unknown>>

/** What systems and developers say stands before the conversation. */
export function writeSystem(messages: readonly NeutralMessage[]): string | readonly Block[] | undefined {
  const parts = messages.flatMap(({ role, parts }) => (isInstruction(role) ? parts : []))
  const texts = parts.filter((part) => part.type === 'text')
  if (texts.length < parts.length) throw cannotCarry('messages', 'instructions are text alone')
  if (texts.length === 0) return undefined
  if (texts.every(({ cache }) => cache === undefined)) return texts.map(({ text }) => text).join('\n\n')
  return texts.map(({ text, cache }) => present({ type: 'text', text, cache_control: cache }))
}

/** Messages in Anthropic's words: users and assistants by turns, the results of calls among what users say. */
export function writeAnthropicMessages(
  messages: readonly NeutralMessage[],
  thinks: boolean,
  drop: Drop,
): readonly object[] {
  if (thinks) demandThoughts(messages)
  const turns: { role: string; content: Block[] }[] = []
  for (const [at, { role, parts }] of messages.entries()) {
    if (isInstruction(role)) continue
    const speaker = role === 'assistant' ? 'assistant' : 'user'
    const content = inOrder(parts).flatMap((part) => writePart(part, `messages[${at}].content`, drop))
    const last = turns.at(-1)
    if (last?.role === speaker) last.content.push(...content)
    else if (content.length > 0) turns.push({ role: speaker, content })
  }
  return turns
}

function isInstruction(role: NeutralMessage['role']): boolean {
  return role === 'system' || role === 'developer'
}

/** Results of calls come before what else is said. */
function inOrder(parts: readonly NeutralPart[]): readonly NeutralPart[] {
  const results = parts.filter(({ type }) => type === 'tool_result')
  return results.length === 0 ? parts : [...results, ...parts.filter(({ type }) => type !== 'tool_result')]
}

/** A turn that goes on after calls must begin with the thoughts that led to them, sealed by Anthropic. */
function demandThoughts(messages: readonly NeutralMessage[]): void {
  const isResult = ({ parts }: NeutralMessage): boolean => parts.some(({ type }) => type === 'tool_result')
  const last = messages.at(-1)
  if (!last || !isResult(last)) return
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const parts = messages[at]?.parts ?? []
  if (!parts.some(({ type }) => type === 'tool_call')) return
  if (parts.some((part) => part.type === 'reasoning' && isSealed(part))) return
  throw cannotCarry(`messages[${at}].reasoning`, 'give back the thoughts that came with this call, as they were')
}

function isSealed({ vendor, text, signature, encrypted }: NeutralReasoning): boolean {
  return vendor === 'anthropic' && (encrypted !== undefined || (signature !== undefined && text !== undefined))
}

function writePart(part: NeutralPart, path: string, drop: Drop): readonly Block[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [present({ type: 'text', text: part.text, cache_control: part.cache })]
    case 'refusal':
      return [{ type: 'text', text: part.text }]
    case 'image':
      if (part.detail !== undefined && part.detail !== 'auto') drop(`${path}.detail`)
      return [present({ type: 'image', source: sourceOf(part.source), cache_control: part.cache })]
    case 'file':
      return [
        present({
          type: 'document',
          source: documentOf(part.source, path),
          title: part.name,
          cache_control: part.cache,
        }),
      ]
    case 'audio':
      throw cannotCarry(path, 'its provider hears nothing')
    case 'tool_call':
      return [writeCall(part, path)]
    case 'tool_result': {
      const content = part.parts.flatMap((each) => writePart(each, path, drop))
      const result = { type: 'tool_result', tool_use_id: callIdOf(part.callId), content, cache_control: part.cache }
      return [present({ ...result, is_error: part.isError || undefined })]
    }
    case 'reasoning':
      return writeThought(part, path, drop)
  }
}

function writeThought(part: NeutralReasoning, path: string, drop: Drop): readonly Block[] {
  if (!isSealed(part)) {
    drop(`${path}.reasoning`)
    return []
  }
  if (part.encrypted !== undefined) return [{ type: 'redacted_thinking', data: part.encrypted }]
  return [{ type: 'thinking', thinking: part.text, signature: part.signature }]
}

function writeCall({ id, name, arguments: text, cache }: NeutralToolCall, path: string): Block {
  const input = argumentsOf(text)
  if (!input) throw cannotCarry(path, 'the arguments of a call must be a JSON object')
  return present({ type: 'tool_use', id: callIdOf(id), name, input, cache_control: cache })
}

/** What other vendors name their calls by may have characters that Anthropic does not take. */
function callIdOf(id: string): string {
  return id.replace(/[^\w-]/g, '_')
}

function sourceOf(source: MediaSource): Block {
  if (source.kind === 'url') return { type: 'url', url: source.url }
  if (source.kind === 'file_id') return { type: 'file', file_id: source.id }
  return { type: 'base64', media_type: source.mediaType, data: source.base64 }
}

function documentOf(source: MediaSource, path: string): Block {
  if (source.kind !== 'data' || source.mediaType === 'application/pdf') return sourceOf(source)
  if (!source.mediaType.startsWith('text/')) throw cannotCarry(path, 'files are PDF or plain text')
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(source.base64, 'base64').toString('utf8') }
}
