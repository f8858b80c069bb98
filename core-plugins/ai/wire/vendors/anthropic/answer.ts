import { isObject, type JsonObject } from '../../json.ts'
import type { FinishReason, NeutralAnswer, NeutralPart, NeutralUsage } from '../../neutral.ts'
import { UpstreamFaultError, type ReadOptions } from '../../vendor.ts'
import { countOf, parseSaid, unreadable, wordOf } from '../said.ts'
import { faultOfError } from './fault.ts'

/** Reads a whole message; throws an UpstreamFaultError for what is none. */
export function readAnthropicAnswer(body: string, { frames = false }: ReadOptions = {}): NeutralAnswer {
  const answer = parseSaid(body)
  if (answer['type'] === 'error') throw new UpstreamFaultError(faultOfError(0, answer['error']))
  const { content, stop_sequence: stopSequence } = answer
  if (!Array.isArray(content)) throw unreadable('The answer has no content')
  return {
    ...{ id: wordOf(answer['id']), model: wordOf(answer['model']) },
    parts: content.filter(isObject).flatMap(readBlock),
    finish: readStop(answer['stop_reason']),
    usage: readAnthropicUsage(answer['usage']),
    ...(typeof stopSequence === 'string' && { stopSequence }),
    ...(frames && { frame: { wire: 'messages', data: body } }),
  }
}

function readBlock(block: JsonObject): readonly NeutralPart[] {
  switch (block['type']) {
    case 'text':
      return block['text'] === '' ? [] : [{ type: 'text', text: wordOf(block['text']) }]
    case 'thinking': {
      const { thinking, signature } = block
      return [{ type: 'reasoning', vendor: 'anthropic', text: wordOf(thinking), signature: wordOf(signature) }]
    }
    case 'redacted_thinking':
      return [{ type: 'reasoning', vendor: 'anthropic', encrypted: wordOf(block['data']) }]
    case 'tool_use': {
      const { id, name, input } = block
      return [{ type: 'tool_call', id: wordOf(id), name: wordOf(name), arguments: JSON.stringify(input ?? {}) }]
    }
    default:
      return []
  }
}

const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  stop_sequence: 'stop_sequence',
  tool_use: 'tool_calls',
  pause_turn: 'pause',
  refusal: 'refusal',
}

/** Why an answer ended. */
export function readStop(reason: unknown): FinishReason {
  return reasons[wordOf(reason)] ?? 'stop'
}

/** Usage; what was read from the cache and written to it is input, too. */
export function readAnthropicUsage(value: unknown): NeutralUsage | undefined {
  if (!isObject(value)) return undefined
  const [plain, outputTokens] = [countOf(value['input_tokens']), countOf(value['output_tokens'])]
  if (plain === undefined || outputTokens === undefined) return undefined
  const cacheWriteTokens = countOf(value['cache_creation_input_tokens']) ?? 0
  const cachedInputTokens = countOf(value['cache_read_input_tokens']) ?? 0
  const inputTokens = plain + cacheWriteTokens + cachedInputTokens
  return { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens: 0 }
}
