import { isObject, type JsonObject } from '../../json.ts'
import type { NeutralEvent } from '../../neutral.ts'
import { UpstreamFaultError, type StreamReader, type WireEvent } from '../../vendor.ts'
import { parseSaid, wordOf } from '../said.ts'
import { readAnthropicUsage, readStop } from './answer.ts'
import { faultOfError } from './fault.ts'

/** Reads a stream of a message's events. */
export class AnthropicReader implements StreamReader {
  readonly #frames: boolean
  /** By the index of its block, which call it is. */
  readonly #calls = new Map<unknown, number>()
  readonly #thoughts = new Set<unknown>()
  #usage: JsonObject = {}
  #hasStopped = false

  constructor(frames: boolean) {
    this.#frames = frames
  }

  push({ event, data }: WireEvent): readonly NeutralEvent[] {
    const said = parseSaid(data)
    if (said['type'] === 'error') throw new UpstreamFaultError(faultOfError(0, said['error']))
    const frame = { type: 'frame' as const, wire: 'messages', data, ...(event !== undefined && { event }) }
    return this.#frames ? [frame, ...this.#read(said)] : this.#read(said)
  }

  /** What ends without a `stop_reason` was cut off. */
  end(): 'complete' | 'truncated' {
    return this.#hasStopped ? 'complete' : 'truncated'
  }

  #read(said: JsonObject): readonly NeutralEvent[] {
    const { type, index, delta, message, content_block: block } = said
    switch (type) {
      case 'message_start': {
        const { id, model, usage } = isObject(message) ? message : {}
        if (isObject(usage)) this.#usage = usage
        return [{ type: 'start', id: wordOf(id), model: wordOf(model) }]
      }
      case 'content_block_start':
        return isObject(block) ? this.#begin(index, block) : []
      case 'content_block_delta':
        return isObject(delta) ? this.#grow(index, delta) : []
      case 'content_block_stop':
        return this.#thoughts.delete(index) ? [{ type: 'reasoning', vendor: 'anthropic', done: true }] : []
      case 'message_delta':
        return this.#finish(isObject(delta) ? delta : {}, said['usage'])
      default:
        return []
    }
  }

  #begin(index: unknown, block: JsonObject): readonly NeutralEvent[] {
    if (block['type'] === 'tool_use') {
      const call = this.#calls.size
      this.#calls.set(index, call)
      return [{ type: 'tool_call', index: call, id: wordOf(block['id']), name: wordOf(block['name']) }]
    }
    if (block['type'] === 'redacted_thinking') {
      return [{ type: 'reasoning', vendor: 'anthropic', encrypted: wordOf(block['data']), done: true }]
    }
    if (block['type'] === 'thinking') this.#thoughts.add(index)
    const text = wordOf(block['text'])
    return text === '' ? [] : [{ type: 'text', text }]
  }

  #grow(index: unknown, delta: JsonObject): readonly NeutralEvent[] {
    const text = (name: string): string => wordOf(delta[name])
    switch (delta['type']) {
      case 'text_delta':
        return text('text') === '' ? [] : [{ type: 'text', text: text('text') }]
      case 'thinking_delta':
        return [{ type: 'reasoning', vendor: 'anthropic', text: text('thinking') }]
      case 'signature_delta':
        return [{ type: 'reasoning', vendor: 'anthropic', signature: text('signature') }]
      case 'input_json_delta': {
        const call = this.#calls.get(index)
        const more = text('partial_json')
        return call === undefined || more === '' ? [] : [{ type: 'tool_call', index: call, arguments: more }]
      }
      default:
        return []
    }
  }

  #finish(delta: JsonObject, usage: unknown): readonly NeutralEvent[] {
    const told = isObject(usage) ? readAnthropicUsage({ ...this.#usage, ...usage }) : undefined
    const { stop_reason: reason, stop_sequence: stopSequence } = delta
    const steps: readonly NeutralEvent[] = told ? [{ type: 'usage', usage: told }] : []
    if (typeof reason !== 'string') return steps
    this.#hasStopped = true
    const sequence = typeof stopSequence === 'string' ? { stopSequence } : {}
    return [...steps, { type: 'finish', reason: readStop(reason), ...sequence }]
  }
}
