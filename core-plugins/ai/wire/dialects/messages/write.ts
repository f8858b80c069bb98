import type { AnswerAbout, DialectError, StreamWriter } from '../../dialect.ts'
import type {
  FinishReason,
  NeutralEvent,
  NeutralReasoning,
  NeutralReasoningEvent,
  NeutralToolCallEvent,
  NeutralUsage,
} from '../../neutral.ts'
import { sseFrame } from '../../sse.ts'
import { presentCallSeal, presentMessagesError, presentStop, presentThought, presentUsage, sealOf } from './words.ts'

interface Waiting {
  id: string
  name: string
  text: string
}

/** Writes an answer as the events of a message, one block after the other. */
export class MessageWriter implements StreamWriter {
  readonly #about: AnswerAbout
  /** The vendor's own events are passed on: what was read from them is not told again. */
  #passesOn = false
  #hasStarted = false
  /** Blocks begun so far; the last one is open where `#open` says what it is. */
  #blocks = 0
  #open: 'text' | 'thinking' | 'tool' | undefined
  #openCall: number | undefined
  /** Whose the open thought is, where Anthropic has not made it: its seal says that. */
  #foreign: Omit<NeutralReasoning, 'type'> | undefined
  /** Calls that began while another one was open: blocks cannot be mixed. */
  readonly #waiting = new Map<number, Waiting>()
  #usage: NeutralUsage | undefined
  #finish: { readonly reason: FinishReason; readonly stopSequence: string | null } | undefined

  constructor(about: AnswerAbout) {
    this.#about = about
  }

  write(event: NeutralEvent): string {
    if (event.type === 'frame') return this.#pass(event)
    if (event.type === 'finish' && (!this.#passesOn || event.reason === 'quota')) {
      this.#finish = { reason: event.reason, stopSequence: event.stopSequence ?? null }
      return ''
    }
    if (event.type === 'usage') this.#usage = event.usage
    if (this.#passesOn) return ''
    switch (event.type) {
      case 'text':
      case 'refusal':
        return this.#say(event.text)
      case 'reasoning':
        return this.#think(event)
      case 'tool_call':
        return this.#call(event)
      default:
        return ''
    }
  }

  end(): string {
    if (this.#passesOn && !this.#finish) return ''
    const { reason, stopSequence } = this.#finish ?? { reason: 'stop' as const, stopSequence: null }
    const delta = { stop_reason: presentStop(reason), stop_sequence: stopSequence }
    const ending = frame('message_delta', { delta, usage: presentUsage(this.#usage) }) + frame('message_stop', {})
    return this.#start() + this.#close() + this.#flush() + ending
  }

  fail(error: DialectError): string {
    return sseFrame({ event: 'error', data: JSON.stringify(presentMessagesError(error)) })
  }

  #pass({ event, data }: Extract<NeutralEvent, { type: 'frame' }>): string {
    this.#passesOn = true
    this.#hasStarted = true
    // Kept for an answer that must be ended before the vendor ends it.
    if (event === 'content_block_start') {
      this.#open = 'text'
      this.#blocks = Number(/"index"\s*:\s*(\d+)/.exec(data)?.[1] ?? 0) + 1
    } else if (event === 'content_block_stop') this.#open = undefined
    return sseFrame(event === undefined ? { data } : { event, data })
  }

  #start(): string {
    if (this.#hasStarted) return ''
    this.#hasStarted = true
    const { id, model } = this.#about
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
    }
    return frame('message_start', { message: { ...message, usage: presentUsage(undefined) } })
  }

  #say(text: string): string {
    if (text === '') return ''
    const start = this.#begin('text', { type: 'text', text: '' })
    return start + this.#delta({ type: 'text_delta', text })
  }

  #think({ done, text = '', ...thought }: NeutralReasoningEvent): string {
    const isOwn = thought.vendor === 'anthropic'
    if (thought.encrypted !== undefined && (isOwn || (text === '' && this.#open !== 'thinking'))) {
      const block = presentThought({ ...thought, type: 'reasoning' })
      return this.#start() + this.#close() + this.#flush() + this.#opened(block) + this.#closed()
    }
    if (text === '' && thought.signature === undefined && this.#open !== 'thinking') return ''
    const begun = this.#begin('thinking', { type: 'thinking', thinking: '', signature: '' })
    if (!isOwn) this.#foreign = { ...this.#foreign, ...thought }
    const said = text === '' ? '' : this.#delta({ type: 'thinking_delta', thinking: text })
    const { signature } = thought
    const seal = isOwn && signature !== undefined ? this.#delta({ type: 'signature_delta', signature }) : ''
    return begun + said + seal + (done ? this.#close() : '')
  }

  #call({ index, id, name, arguments: text = '', signature }: NeutralToolCallEvent): string {
    if (this.#openCall === index) return this.#grow(text)
    const waiting = this.#waiting.get(index)
    if (waiting) {
      waiting.text += text
      return ''
    }
    const call = { id: id ?? '', name: name ?? '', text }
    const seal = signature === undefined ? '' : this.#sealed(call.id, signature)
    if (this.#open !== 'tool') return seal + this.#tool(index, call)
    this.#waiting.set(index, call)
    return seal
  }

  /** Before its call; within another one it has to wait for no end, since it has its own block after all. */
  #sealed(callId: string, signature: string): string {
    const end = this.#start() + this.#close()
    return end + this.#opened(presentCallSeal(callId, signature)) + this.#closed()
  }

  #tool(index: number, { id, name, text }: Waiting): string {
    const start = this.#begin('tool', { type: 'tool_use', id, name, input: {} })
    this.#openCall = index
    return start + this.#grow(text)
  }

  #grow(text: string): string {
    return text === '' ? '' : this.#delta({ type: 'input_json_delta', partial_json: text })
  }

  /** Opens a block unless one of its kind is open; a call is always a block of its own. */
  #begin(kind: 'text' | 'thinking' | 'tool', block: object): string {
    if (this.#open === kind && kind !== 'tool') return ''
    const before = this.#start() + this.#close() + (kind === 'tool' ? '' : this.#flush())
    const opened = this.#opened(block)
    this.#open = kind
    return before + opened
  }

  #opened(block: object): string {
    this.#blocks += 1
    return frame('content_block_start', { index: this.#blocks - 1, content_block: block })
  }

  #closed(): string {
    return frame('content_block_stop', { index: this.#blocks - 1 })
  }

  #close(): string {
    if (this.#open === undefined) return ''
    const foreign = this.#foreign
    this.#open = undefined
    this.#openCall = undefined
    this.#foreign = undefined
    const seal = foreign && this.#delta({ type: 'signature_delta', signature: sealOf(foreign) })
    return (seal ?? '') + this.#closed()
  }

  /** Calls that waited, each whole. */
  #flush(): string {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    return waiting.map(([index, call]) => this.#tool(index, call) + this.#close()).join('')
  }

  #delta(delta: object): string {
    return frame('content_block_delta', { index: this.#blocks - 1, delta })
  }
}

function frame(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}
