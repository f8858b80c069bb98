import { randomUUID } from 'node:crypto'
import type { NeutralReasoningEvent, NeutralToolCallEvent } from '../../neutral.ts'
import { writeSeal, type Seal } from '../../seals.ts'

/** An event of the stream, before it has its number. */
export type ItemEvent = { readonly type: string } & Readonly<Record<string, unknown>>

/** One item of a response's output while it grows; each step tells the events that clients hear. */
export interface OutputItem {
  begin(index: number): readonly ItemEvent[]
  end(index: number): readonly ItemEvent[]
  /** As it stands when it is done. */
  readonly done: object
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}

/** What the model says, or why it does not. */
export class MessageItem implements OutputItem {
  readonly #id = newId('msg')
  readonly kind: 'text' | 'refusal'
  #text = ''
  #logprobs: unknown[] = []

  constructor(kind: 'text' | 'refusal') {
    this.kind = kind
  }

  begin(index: number): readonly ItemEvent[] {
    const item = this.#item('in_progress', [])
    const part =
      this.kind === 'text'
        ? { type: 'output_text', text: '', annotations: [], logprobs: [] }
        : { type: 'refusal', refusal: '' }
    return [
      { type: 'response.output_item.added', output_index: index, item },
      { type: 'response.content_part.added', ...this.#place(index), part },
    ]
  }

  grow(index: number, text: string, logprobs: readonly unknown[]): readonly ItemEvent[] {
    this.#text += text
    this.#logprobs.push(...logprobs)
    const place = this.#place(index)
    if (this.kind === 'refusal') return [{ type: 'response.refusal.delta', ...place, delta: text }]
    return [{ type: 'response.output_text.delta', ...place, delta: text, logprobs }]
  }

  end(index: number): readonly ItemEvent[] {
    const place = this.#place(index)
    const whole = this.kind === 'text' ? { text: this.#text, logprobs: this.#logprobs } : { refusal: this.#text }
    const type = this.kind === 'text' ? 'response.output_text.done' : 'response.refusal.done'
    return [
      { type, ...place, ...whole },
      { type: 'response.content_part.done', ...place, part: this.#part },
      { type: 'response.output_item.done', output_index: index, item: this.done },
    ]
  }

  get done(): object {
    return this.#item('completed', [this.#part])
  }

  get #part(): object {
    if (this.kind === 'refusal') return { type: 'refusal', refusal: this.#text }
    return { type: 'output_text', text: this.#text, annotations: [], logprobs: this.#logprobs }
  }

  #place(index: number): object {
    return { item_id: this.#id, output_index: index, content_index: 0 }
  }

  #item(status: string, content: readonly object[]): object {
    return { id: this.#id, type: 'message', status, role: 'assistant', content }
  }
}

/** A call that the model asks for. */
export class CallItem implements OutputItem {
  readonly #id = newId('fc')
  readonly #callId: string
  readonly #name: string
  #arguments = ''

  constructor({ id = '', name = '' }: NeutralToolCallEvent) {
    this.#callId = id
    this.#name = name
  }

  begin(index: number): readonly ItemEvent[] {
    return [{ type: 'response.output_item.added', output_index: index, item: this.#item('in_progress') }]
  }

  grow(index: number, text: string): readonly ItemEvent[] {
    if (text === '') return []
    this.#arguments += text
    const place = { item_id: this.#id, output_index: index }
    return [{ type: 'response.function_call_arguments.delta', ...place, delta: text }]
  }

  end(index: number): readonly ItemEvent[] {
    const place = { item_id: this.#id, output_index: index, name: this.#name }
    return [
      { type: 'response.function_call_arguments.done', ...place, arguments: this.#arguments },
      { type: 'response.output_item.done', output_index: index, item: this.done },
    ]
  }

  get done(): object {
    return this.#item('completed')
  }

  #item(status: string): object {
    const call = { call_id: this.#callId, name: this.#name, arguments: this.#arguments }
    return { id: this.#id, type: 'function_call', status, ...call }
  }
}

/** What the model thought, with the seal that must come back. */
export class ThoughtItem implements OutputItem {
  readonly #id: string
  readonly #vendor: string
  #text = ''
  #seal: Partial<Seal> = {}
  #hasPart = false

  constructor({ vendor, id }: Pick<NeutralReasoningEvent, 'vendor' | 'id'>) {
    this.#vendor = vendor
    this.#id = id ?? newId('rs')
  }

  begin(index: number): readonly ItemEvent[] {
    const item = { id: this.#id, type: 'reasoning', summary: [] }
    return [{ type: 'response.output_item.added', output_index: index, item }]
  }

  grow(
    index: number,
    { text = '', signature, encrypted }: Partial<NeutralReasoningEvent>,
    callId?: string,
  ): readonly ItemEvent[] {
    const more = { ...(signature !== undefined && { signature }), ...(encrypted !== undefined && { encrypted }) }
    this.#seal = { ...this.#seal, ...more, ...(callId !== undefined && { callId }) }
    if (text === '') return []
    this.#text += text
    const place = this.#place(index)
    const delta = { type: 'response.reasoning_summary_text.delta', ...place, delta: text }
    if (this.#hasPart) return [delta]
    this.#hasPart = true
    return [
      { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
      delta,
    ]
  }

  end(index: number): readonly ItemEvent[] {
    const place = this.#place(index)
    const part = { type: 'summary_text', text: this.#text }
    const parts = [
      { type: 'response.reasoning_summary_text.done', ...place, text: this.#text },
      { type: 'response.reasoning_summary_part.done', ...place, part },
    ]
    const done = { type: 'response.output_item.done', output_index: index, item: this.done }
    return [...(this.#hasPart ? parts : []), done]
  }

  get done(): object {
    const summary = this.#hasPart ? [{ type: 'summary_text', text: this.#text }] : []
    return { id: this.#id, type: 'reasoning', summary, encrypted_content: this.#sealed }
  }

  /** OpenAI's own goes back as it came. */
  get #sealed(): string {
    if (this.#vendor === 'openai' && this.#seal.encrypted !== undefined) return this.#seal.encrypted
    const text = this.#text === '' ? {} : { text: this.#text }
    return writeSeal({ vendor: this.#vendor, ...text, ...this.#seal })
  }

  #place(index: number): object {
    return { item_id: this.#id, output_index: index, summary_index: 0 }
  }
}
