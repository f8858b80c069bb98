import { randomUUID } from 'node:crypto'
import { isObject, present, type JsonObject } from '../../json.ts'
import type { FinishReason, NeutralPart, NeutralUsage } from '../../neutral.ts'
import { countOf, wordOf } from '../said.ts'

/** The parts of the first candidate. */
export function readParts(candidate: JsonObject): readonly NeutralPart[] {
  const content = candidate['content']
  const parts: unknown = isObject(content) ? content['parts'] : undefined
  return Array.isArray(parts) ? parts.filter(isObject).flatMap(readPart) : []
}

function readPart(part: JsonObject): readonly NeutralPart[] {
  const { text, thought, functionCall: call, thoughtSignature } = part
  const signature = typeof thoughtSignature === 'string' ? thoughtSignature : undefined
  if (isObject(call)) {
    // Older models give their calls no ids; clients need one to say which result is whose.
    const id = wordOf(call['id']) || `call_${randomUUID().replaceAll('-', '')}`
    const values = JSON.stringify(call['args'] ?? {})
    return [present({ type: 'tool_call' as const, id, name: wordOf(call['name']), arguments: values, signature })]
  }
  if (thought === true) {
    return [present({ type: 'reasoning' as const, vendor: 'gemini', text: wordOf(text), signature })]
  }
  const said: readonly NeutralPart[] = wordOf(text) === '' ? [] : [{ type: 'text', text: wordOf(text) }]
  return signature === undefined ? said : [...said, { type: 'reasoning', vendor: 'gemini', text: '', signature }]
}

/** The signature of a text before it, which is no thought: other wires have no place for it but among thoughts. */
export function isTextSeal(part: {
  readonly type: string
  readonly text?: string
  readonly signature?: string
}): boolean {
  return part.type === 'reasoning' && (part.text ?? '') === '' && part.signature !== undefined
}

const reasons: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  LANGUAGE: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
}

/** Why an answer ended; Gemini says STOP of calls, too. */
export function readGeminiFinish(reason: string, hasCalls: boolean): FinishReason {
  const read = reasons[reason] ?? 'stop'
  return read === 'stop' && hasCalls ? 'tool_calls' : read
}

/** Usage; what was thought is output, too. */
export function readGeminiUsage(value: unknown): NeutralUsage | undefined {
  if (!isObject(value)) return undefined
  const count = (name: string): number | undefined => countOf(value[name])
  const prompt = count('promptTokenCount')
  if (
    prompt === undefined ||
    (value['candidatesTokenCount'] !== undefined && count('candidatesTokenCount') === undefined)
  ) {
    return undefined
  }
  const reasoningTokens = count('thoughtsTokenCount') ?? 0
  return {
    inputTokens: prompt + (count('toolUsePromptTokenCount') ?? 0),
    cachedInputTokens: Math.min(prompt, count('cachedContentTokenCount') ?? 0),
    cacheWriteTokens: 0,
    outputTokens: (count('candidatesTokenCount') ?? 0) + reasoningTokens,
    reasoningTokens,
  }
}
