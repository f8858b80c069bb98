import { isObject, present, type JsonObject } from '../../../json.ts'
import type { NeutralEvent } from '../../../neutral.ts'
import { UpstreamFaultError, type StreamReader, type WireEvent } from '../../../vendor.ts'
import { parseSaid, wordOf } from '../../said.ts'
import { faultOfError } from '../fault.ts'
import { textsOf, thoughtOf } from './answer.ts'
import { readResponseFinish, readResponseUsage } from './usage.ts'

/** Reads a stream of a response's events. */
export class ResponsesReader implements StreamReader {
  readonly #frames: boolean
  /** By the index of its item, which call it is. */
  readonly #calls = new Map<unknown, number>()
  /** What was thought so far in the open item: nothing, a summary, or the thought itself. */
  #thinks: 'nothing' | 'summary' | 'text' = 'nothing'
  #hasFinished = false

  constructor(frames: boolean) {
    this.#frames = frames
  }

  push({ event, data }: WireEvent): readonly NeutralEvent[] {
    if (data === '[DONE]') return []
    const said = parseSaid(data)
    const { type, response } = said
    if (type === 'error' || said['error']) throw new UpstreamFaultError(faultOfError(0, said['error'] ?? said))
    if (type === 'response.failed') {
      throw new UpstreamFaultError(faultOfError(0, isObject(response) ? response['error'] : undefined))
    }
    const steps = this.#read(said)
    if (!this.#frames) return steps
    return [present({ type: 'frame' as const, wire: 'responses', event: event ?? wordOf(type), data }), ...steps]
  }

  /** What ends before the response is completed was cut off. */
  end(): 'complete' | 'truncated' {
    return this.#hasFinished ? 'complete' : 'truncated'
  }

  #read(said: JsonObject): readonly NeutralEvent[] {
    const { type, item, response, output_index: index } = said
    const delta = wordOf(said['delta'])
    switch (type) {
      case 'response.created': {
        const { id, model } = isObject(response) ? response : {}
        return [{ type: 'start', id: wordOf(id), model: wordOf(model) }]
      }
      case 'response.output_text.delta':
        return delta === '' ? [] : [present({ type: 'text' as const, text: delta, logprobs: logprobsOf(said) })]
      case 'response.refusal.delta':
        return delta === '' ? [] : [{ type: 'refusal', text: delta }]
      case 'response.reasoning_summary_part.added':
        return this.#think(said, 'summary', this.#thinks === 'summary' ? '\n\n' : '')
      case 'response.reasoning_summary_text.delta':
        return this.#think(said, 'summary', delta)
      case 'response.reasoning_text.delta':
        return this.#think(said, 'text', delta)
      case 'response.output_item.added':
        return isObject(item) ? this.#begin(index, item) : []
      case 'response.function_call_arguments.delta': {
        const call = this.#calls.get(index)
        return call === undefined || delta === '' ? [] : [{ type: 'tool_call', index: call, arguments: delta }]
      }
      case 'response.output_item.done':
        return isObject(item) && item['type'] === 'reasoning' ? this.#endThought(item) : []
      case 'response.completed':
      case 'response.incomplete':
        return this.#finish(isObject(response) ? response : {}, type === 'response.completed')
      default:
        return []
    }
  }

  #begin(index: unknown, { type, call_id: id, name, arguments: text }: JsonObject): readonly NeutralEvent[] {
    if (type === 'reasoning') this.#thinks = 'nothing'
    if (type !== 'function_call') return []
    const call = this.#calls.size
    this.#calls.set(index, call)
    return [{ type: 'tool_call', index: call, id: wordOf(id), name: wordOf(name), arguments: wordOf(text) }]
  }

  #think({ item_id: id }: JsonObject, kind: 'summary' | 'text', text: string): readonly NeutralEvent[] {
    this.#thinks = kind
    return text === '' ? [] : [{ ...thoughtOf({ id }, kind === 'text'), text }]
  }

  #endThought(item: JsonObject): readonly NeutralEvent[] {
    const open = textsOf(item['content'])
    const thought = thoughtOf(item, this.#thinks === 'text' || (this.#thinks === 'nothing' && open !== ''))
    const unsaid = this.#thinks === 'nothing' ? open || textsOf(item['summary']) : ''
    this.#thinks = 'nothing'
    return [{ ...thought, ...(unsaid !== '' && { text: unsaid }), done: true }]
  }

  #finish({ usage: reported, incomplete_details: details }: JsonObject, isWhole: boolean): readonly NeutralEvent[] {
    this.#hasFinished = true
    const usage = readResponseUsage(reported)
    const reason = readResponseFinish(details, isWhole, this.#calls.size > 0)
    return [...(usage ? [{ type: 'usage' as const, usage }] : []), { type: 'finish', reason }]
  }
}

/** In the form of chat completions, which the neutral one is. */
function logprobsOf({ logprobs }: JsonObject): object | undefined {
  return Array.isArray(logprobs) && logprobs.length > 0 ? { content: logprobs as unknown[] } : undefined
}
