import { cannotCarry } from '../../faults.ts'
import { present, type JsonObject } from '../../json.ts'
import type { MediaSource, NeutralMessage, NeutralPart, NeutralReasoning, NeutralToolCall } from '../../neutral.ts'
import { isTextSeal } from './parts.ts'
import { argumentsOf } from '../../call-arguments.ts'

type Drop = (field: string) => void

/** What systems and developers say stands before the conversation. */
export function writeSystem(messages: readonly NeutralMessage[]): JsonObject | undefined {
  const parts = messages.flatMap(({ role, parts }) => (isInstruction(role) ? parts : []))
  const texts = parts.filter((part) => part.type === 'text')
  if (texts.length < parts.length) throw cannotCarry('messages', 'instructions are text alone')
  return texts.length === 0 ? undefined : { parts: texts.map(({ text }) => ({ text })) }
}

/** Messages in Gemini's words: users and the model by turns. */
export function writeContents(messages: readonly NeutralMessage[], drop: Drop): readonly JsonObject[] {
  const turns: { role: string; parts: JsonObject[] }[] = []
  const names = namesOfCalls(messages)
  for (const [at, { role, parts }] of messages.entries()) {
    if (isInstruction(role)) continue
    const speaker = role === 'assistant' ? 'model' : 'user'
    const said = sealed(parts, (part) => writePart(part, { path: `messages[${at}].content`, names, drop }))
    const last = turns.at(-1)
    if (last?.role === speaker) last.parts.push(...said)
    else if (said.length > 0) turns.push({ role: speaker, parts: said })
  }
  return turns
}

/** Parts as they are written, each signature of a text at its text: the one before it, or, where a client keeps them apart, the first. */
function sealed(parts: readonly NeutralPart[], write: (part: NeutralPart) => readonly JsonObject[]): JsonObject[] {
  const written: JsonObject[] = []
  const waiting: string[] = []
  const signed = (part: JsonObject | undefined, thoughtSignature: string): boolean => {
    if (!part || !isPlainText(part)) return false
    Object.assign(part, { thoughtSignature })
    return true
  }
  for (const part of parts) {
    const seal = isTextSeal(part) && part.type === 'reasoning' && part.vendor === 'gemini' ? part.signature : undefined
    if (seal === undefined) written.push(...write(part))
    else if (!signed(written.findLast(isPlainText), seal)) waiting.push(seal)
  }
  const left = waiting.filter((seal) => !signed(written.find(isPlainText), seal))
  return [...written, ...left.map((thoughtSignature) => ({ text: '', thoughtSignature }))]
}

function isPlainText(part: JsonObject): boolean {
  return typeof part['text'] === 'string' && part['thought'] !== true && part['thoughtSignature'] === undefined
}

function isInstruction(role: NeutralMessage['role']): boolean {
  return role === 'system' || role === 'developer'
}

/** Results name the function that was called; other wires name the call. */
function namesOfCalls(messages: readonly NeutralMessage[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_call'))
  return new Map(calls.map(({ id, name }) => [id, name]))
}

interface Place {
  readonly path: string
  readonly names: ReadonlyMap<string, string>
  readonly drop: Drop
}

function writePart(part: NeutralPart, place: Place): readonly JsonObject[] {
  const { path, drop } = place
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }]
    case 'image':
      if (part.detail !== undefined && part.detail !== 'auto') drop(`${path}.detail`)
      return [writeMedia(part.source, path)]
    case 'file':
      return [writeMedia(part.source, path)]
    case 'audio':
      return [{ inlineData: { mimeType: `audio/${part.format}`, data: part.base64 } }]
    case 'tool_call':
      return [writeCall(part, path)]
    case 'tool_result':
      return writeResult(part, place)
    case 'reasoning':
      return writeThought(part, place)
  }
}

function writeMedia(source: MediaSource, path: string): JsonObject {
  if (source.kind === 'data') return { inlineData: { mimeType: source.mediaType, data: source.base64 } }
  if (source.kind === 'file_id') throw cannotCarry(path, 'a file that another vendor has')
  throw cannotCarry(path, 'a picture or file by its address: send its content')
}

function writeCall({ name, arguments: text, signature }: NeutralToolCall, path: string): JsonObject {
  const args = argumentsOf(text)
  if (!args) throw cannotCarry(path, 'the arguments of a call must be a JSON object')
  return present({ functionCall: { name, args }, thoughtSignature: signature })
}

function writeResult(part: Extract<NeutralPart, { type: 'tool_result' }>, place: Place): readonly JsonObject[] {
  const name = place.names.get(part.callId)
  if (name === undefined) throw cannotCarry(place.path, 'the result of a call that is not in the conversation')
  const texts = part.parts.flatMap((each) => (each.type === 'text' ? [each.text] : []))
  const others = part.parts.filter(({ type }) => type !== 'text')
  const word = part.isError ? 'error' : 'result'
  const result = { functionResponse: { name, response: { [word]: texts.join('\n') } } }
  return [result, ...others.flatMap((each) => writePart(each, place))]
}

function writeThought({ vendor, text, signature }: NeutralReasoning, { path, drop }: Place): readonly JsonObject[] {
  if (vendor === 'gemini' && text !== undefined) return [present({ text, thought: true, thoughtSignature: signature })]
  drop(`${path}.reasoning`)
  return []
}
