import type { AnswerAbout, DialectError, StreamWriter } from '../../dialect.ts'
import { present } from '../../json.ts'
import type { NeutralEvent, NeutralReasoning, NeutralToolCallEvent, NeutralUsage } from '../../neutral.ts'
import { AnswerCollector } from '../../answer.ts'
import { sseFrame } from '../../sse.ts'
import { presentChatError } from './error.ts'
import { isSealed, presentReasoning, thoughtsOf } from './reasoning.ts'
import { presentFinish, presentUsage } from './usage.ts'

const terminator = 'data: [DONE]\n\n'

/** Writes an answer as `chat.completion.chunk` frames. */
export class ChatChunkWriter implements StreamWriter {
  readonly #head: string
  readonly #wantsUsage: boolean
  /** The vendor's own frames are passed on: what was read from them is not told again. */
  #passesOn = false
  #hasStarted = false
  #usage: NeutralUsage | undefined
  readonly #thoughts = new AnswerCollector()
  #hasSealed = false

  constructor({ id, created, model, request }: AnswerAbout) {
    this.#head = `data: {"id":${JSON.stringify(id)},"object":"chat.completion.chunk","created":${created},"model":${JSON.stringify(model)},`
    this.#wantsUsage = request.includeUsage
  }

  write(event: NeutralEvent): string {
    if (event.type === 'frame') return this.#pass(event.data)
    if (this.#passesOn) return event.type === 'finish' && event.reason === 'quota' ? this.#finish('quota') : ''
    switch (event.type) {
      case 'start':
        return ''
      case 'text':
        return this.#delta({ content: event.text }, event.logprobs)
      case 'refusal':
        return this.#delta({ refusal: event.text })
      case 'reasoning':
        return this.#think(event)
      case 'tool_call':
        return this.#delta({ tool_calls: [callDelta(event)] })
      case 'usage':
        this.#usage = event.usage
        return ''
      case 'finish':
        return this.#finish(event.reason)
    }
  }

  end(): string {
    if (this.#passesOn || !this.#wantsUsage || !this.#usage) return terminator
    return `${this.#head}"choices":[],"usage":${JSON.stringify(presentUsage(this.#usage))}}\n\n${terminator}`
  }

  fail(error: DialectError): string {
    return sseFrame({ data: JSON.stringify(presentChatError(error)) }) + terminator
  }

  /** The last chunk of all, which has the usage alone, is for those who asked for it. */
  #pass(data: string): string {
    this.#passesOn = true
    if (!this.#wantsUsage && isUsageChunk(data)) return ''
    return `data: ${data}\n\n`
  }

  #delta(delta: object, logprobs?: unknown): string {
    const body = this.#hasStarted ? delta : { role: 'assistant', ...delta }
    this.#hasStarted = true
    return this.#chunk(JSON.stringify(body), logprobs === undefined ? 'null' : JSON.stringify(logprobs), 'null')
  }

  #chunk(delta: string, logprobs: string, finish: string): string {
    return `${this.#head}"choices":[{"index":0,"delta":${delta},"logprobs":${logprobs},"finish_reason":${finish}}]}\n\n`
  }

  #think(event: Extract<NeutralEvent, { type: 'reasoning' }>): string {
    this.#thoughts.push(event)
    this.#hasSealed ||= isSealed(event)
    return event.text === undefined || event.text === '' ? '' : this.#delta({ reasoning_content: event.text })
  }

  #finish(reason: Extract<NeutralEvent, { type: 'finish' }>['reason']): string {
    const start = this.#hasStarted || this.#passesOn ? '' : this.#delta({ content: '' })
    return `${start}${this.#sealed()}${this.#chunk('{}', 'null', `"${presentFinish(reason)}"`)}`
  }

  /** Once, whole: readers that put the deltas together take the last, others find it in one piece. */
  #sealed(): string {
    if (!this.#hasSealed) return ''
    const thoughts: readonly NeutralReasoning[] = thoughtsOf(this.#thoughts.answer.parts)
    return this.#delta({ reasoning_details: presentReasoning(thoughts) })
  }
}

function callDelta({ index, id, name, arguments: text, signature }: NeutralToolCallEvent): object {
  const own = present({ name, arguments: text ?? (name === undefined ? undefined : '') })
  return {
    index,
    ...(id !== undefined && { id, type: 'function' }),
    ...(Object.keys(own).length > 0 && { function: own }),
    ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
  }
}

function isUsageChunk(data: string): boolean {
  return /"choices"\s*:\s*\[\s*\]/.test(data) && data.includes('"usage"')
}
