import { isObject, present, type JsonObject } from '../../json.ts'
import type { NeutralReasoning, NeutralToolCallEvent } from '../../neutral.ts'

/** What a message or a delta thinks: `reasoning_content` (DeepSeek, vLLM) or `reasoning` (OpenRouter, newer vLLM, Ollama). */
export function readThought(said: JsonObject): readonly NeutralReasoning[] {
  const text = said['reasoning_content'] ?? said['reasoning']
  return typeof text === 'string' && text !== '' ? [{ type: 'reasoning', vendor: 'openai_compatible', text }] : []
}

/** One of a delta's `tool_calls`; some servers leave out the index of the only one. */
export function readCallStep(call: JsonObject, at: number): NeutralToolCallEvent {
  const own = isObject(call['function']) ? call['function'] : {}
  return present({
    type: 'tool_call' as const,
    index: typeof call['index'] === 'number' ? call['index'] : at,
    id: word(call['id']),
    name: word(own['name']),
    arguments: typeof own['arguments'] === 'string' ? own['arguments'] : undefined,
    signature: signatureOf(call),
  })
}

/** Where Gemini's OpenAI-compatible interface has it. */
function signatureOf({ extra_content: extra }: JsonObject): string | undefined {
  const google = isObject(extra) ? extra['google'] : undefined
  return isObject(google) ? word(google['thought_signature']) : undefined
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
