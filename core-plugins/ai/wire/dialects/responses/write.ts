import type { AnswerAbout, DialectError, StreamWriter } from '../../dialect.ts'
import { isObject } from '../../json.ts'
import type {
  FinishReason,
  NeutralEvent,
  NeutralReasoningEvent,
  NeutralToolCallEvent,
  NeutralUsage,
} from '../../neutral.ts'
import { CallItem, MessageItem, ThoughtItem, type ItemEvent, type OutputItem } from './items.ts'
import { PassedResponse } from './passed.ts'
import { presentResponse, statusOf } from './response.ts'

/** Writes an answer as the events of a response, numbered in order. */
export class ResponseWriter implements StreamWriter {
  readonly #about: AnswerAbout
  #number = 0
  #hasStarted = false
  #usage: NeutralUsage | undefined
  #finish: FinishReason | undefined
  /** All items; those that are open are among `#open`, with the index they have. */
  readonly #items: OutputItem[] = []
  readonly #open = new Map<OutputItem, number>()
  readonly #calls = new Map<number, CallItem>()
  /** Of a vendor of this wire: what was read from its events is not told again. */
  #passed: PassedResponse | undefined

  constructor(about: AnswerAbout) {
    this.#about = about
  }

  write(event: NeutralEvent): string {
    if (event.type === 'frame') return (this.#passed ??= new PassedResponse(this.#about)).pass(event)
    if (this.#passed) return this.#hear(event, this.#passed)
    switch (event.type) {
      case 'text':
        return this.#say('text', event.text, event.logprobs)
      case 'refusal':
        return this.#say('refusal', event.text, undefined)
      case 'reasoning':
        return this.#think(event)
      case 'tool_call':
        return this.#call(event)
      case 'usage':
        this.#usage = event.usage
        return ''
      case 'finish':
        this.#finish = event.reason
        return ''
      case 'start':
        return this.#start()
    }
  }

  end(): string {
    if (this.#passed) return ''
    const start = this.#start() + this.#close()
    const status = statusOf(this.#finish)
    return start + this.#frames([{ type: `response.${status}`, response: this.response }])
  }

  fail(error: DialectError): string {
    if (this.#passed) return this.#passed.fail(error)
    const start = this.#start()
    const output = this.#items.map(({ done }) => done)
    const response = presentResponse(this.#about, { status: 'failed', output, usage: this.#usage, error })
    return start + this.#frames([{ type: 'response.failed', response }])
  }

  /** The response as it stands at the end. */
  get response(): object {
    const output = this.#items.map(({ done }) => done)
    const [usage, finish] = [this.#usage, this.#finish]
    return presentResponse(this.#about, { status: statusOf(finish), output, usage, finish })
  }

  #hear(event: NeutralEvent, passed: PassedResponse): string {
    if (event.type === 'finish' && event.reason === 'quota') return passed.cut()
    passed.hear(event)
    return ''
  }

  #start(): string {
    if (this.#hasStarted) return ''
    this.#hasStarted = true
    const response = presentResponse(this.#about, { status: 'in_progress', output: [] })
    return this.#frames([
      { type: 'response.created', response },
      { type: 'response.in_progress', response },
    ])
  }

  #say(kind: 'text' | 'refusal', text: string, logprobs: unknown): string {
    if (text === '') return ''
    const last = this.#items.at(-1)
    const isOpen = last instanceof MessageItem && last.kind === kind && this.#open.has(last)
    const item = isOpen ? last : new MessageItem(kind)
    const begun = isOpen ? '' : this.#begin(item)
    return begun + this.#frames(item.grow(this.#indexOf(item), text, logprobsOf(logprobs)))
  }

  #think({ done, ...step }: NeutralReasoningEvent): string {
    const last = this.#items.at(-1)
    const isOpen = last instanceof ThoughtItem && this.#open.has(last)
    const says = step.text !== undefined || step.signature !== undefined || step.encrypted !== undefined
    if (!isOpen && !says) return ''
    const item = isOpen ? last : new ThoughtItem(step)
    const begun = isOpen ? '' : this.#begin(item)
    return begun + this.#frames(item.grow(this.#indexOf(item), step)) + (done ? this.#end(item) : '')
  }

  /** Calls may grow beside each other; everything else is closed before one begins. */
  #call(step: NeutralToolCallEvent): string {
    const known = this.#calls.get(step.index)
    const text = step.arguments ?? ''
    if (known) return this.#frames(known.grow(this.#indexOf(known), text))
    const sealed = step.signature === undefined ? '' : this.#sealed(step.id ?? '', step.signature)
    const item = new CallItem(step)
    this.#calls.set(step.index, item)
    const begun = this.#begin(item)
    return sealed + begun + this.#frames(item.grow(this.#indexOf(item), text))
  }

  /** The signature of a call, which its own item has no place for. */
  #sealed(callId: string, signature: string): string {
    const item = new ThoughtItem({ vendor: 'gemini' })
    const begun = this.#begin(item)
    return begun + this.#frames(item.grow(this.#indexOf(item), { signature }, callId)) + this.#end(item)
  }

  #begin(item: OutputItem): string {
    const closed = this.#close(item instanceof CallItem)
    this.#items.push(item)
    this.#open.set(item, this.#items.length - 1)
    return this.#start() + closed + this.#frames(item.begin(this.#indexOf(item)))
  }

  #close(keepsCalls = false): string {
    const ending = [...this.#open.keys()].filter((item) => !(keepsCalls && item instanceof CallItem))
    return ending.map((item) => this.#end(item)).join('')
  }

  #end(item: OutputItem): string {
    const index = this.#indexOf(item)
    this.#open.delete(item)
    return this.#frames(item.end(index))
  }

  #indexOf(item: OutputItem): number {
    return this.#open.get(item) ?? this.#items.indexOf(item)
  }

  #frames(events: readonly ItemEvent[]): string {
    return events.map((event) => this.#frame(event)).join('')
  }

  #frame({ type, ...more }: ItemEvent): string {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.#number++, ...more })}\n\n`
  }
}

/** Chat completions have them under `content`. */
function logprobsOf(logprobs: unknown): readonly unknown[] {
  const content = isObject(logprobs) ? logprobs['content'] : undefined
  return Array.isArray(content) ? (content as readonly unknown[]) : []
}
