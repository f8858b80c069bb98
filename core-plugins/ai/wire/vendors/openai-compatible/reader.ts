import { isObject, type JsonObject } from '../../json.ts'
import type { NeutralEvent } from '../../neutral.ts'
import { UpstreamFaultError, type StreamReader, type WireEvent } from '../../vendor.ts'
import { parseSaid } from '../said.ts'
import { faultOfError } from './fault.ts'
import { readCallStep, readThought } from './parts.ts'
import { readFinish, readOpenAiUsage } from './usage.ts'

/** Reads a stream of `chat.completion.chunk`. */
export class OpenAiReader implements StreamReader {
  readonly #frames: boolean
  #hasStarted = false
  #hasFinished = false

  constructor(frames: boolean) {
    this.#frames = frames
  }

  push({ data }: WireEvent): readonly NeutralEvent[] {
    if (data === '[DONE]') return []
    const chunk = parseSaid(data)
    if (chunk['error']) throw new UpstreamFaultError(faultOfError(0, chunk['error']))
    const events: NeutralEvent[] = this.#frames ? [{ type: 'frame', wire: 'chat_completions', data }] : []
    if (!this.#hasStarted) events.push(this.#start(chunk))
    const choices = chunk['choices']
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
    if (isObject(choice)) this.#readChoice(choice, events)
    const usage = readOpenAiUsage(chunk['usage'] ?? (isObject(choice) ? choice['usage'] : undefined))
    if (usage) events.push({ type: 'usage', usage })
    return events
  }

  /** What ends without a `finish_reason` was cut off, whatever comes after. */
  end(): 'complete' | 'truncated' {
    return this.#hasFinished ? 'complete' : 'truncated'
  }

  #start({ id, model }: JsonObject): NeutralEvent {
    this.#hasStarted = true
    return { type: 'start', id: typeof id === 'string' ? id : '', model: typeof model === 'string' ? model : '' }
  }

  #readChoice(choice: JsonObject, events: NeutralEvent[]): void {
    const delta = choice['delta']
    if (isObject(delta)) readDelta(delta, choice['logprobs'], events)
    const reason = choice['finish_reason']
    if (typeof reason !== 'string') return
    this.#hasFinished = true
    events.push({ type: 'finish', reason: readFinish(reason) })
  }
}

function readDelta(delta: JsonObject, logprobs: unknown, events: NeutralEvent[]): void {
  events.push(...readThought(delta))
  const { content, refusal, tool_calls: calls } = delta
  if (typeof content === 'string' && content !== '') {
    events.push(isObject(logprobs) ? { type: 'text', text: content, logprobs } : { type: 'text', text: content })
  }
  if (typeof refusal === 'string' && refusal !== '') events.push({ type: 'refusal', text: refusal })
  if (Array.isArray(calls)) events.push(...calls.filter(isObject).map(readCallStep))
}
