import type { AnswerAbout, DialectError } from '../../dialect.ts'
import { isObject, type JsonObject } from '../../json.ts'
import type { NeutralEvent, NeutralUsage } from '../../neutral.ts'
import { sseFrame } from '../../sse.ts'
import { presentResponse } from './response.ts'

type Frame = Extract<NeutralEvent, { type: 'frame' }>

/** Events that tell the whole response, which says whose it is. */
const telling = /^response\.(created|queued|in_progress|completed|incomplete)$/
const numbered = /"sequence_number"\s*:\s*(\d+)/

/**
 * A stream of a vendor of this wire on its way to the client: events as they came, but for what the platform knows better of the response.
 * What is needed to end it before its vendor does is kept.
 */
export class PassedResponse {
  readonly #about: AnswerAbout
  #number = 0
  #done: JsonObject[] = []
  #open: JsonObject | undefined
  #text = ''
  #usage: NeutralUsage | undefined

  constructor(about: AnswerAbout) {
    this.#about = about
  }

  pass({ event, data }: Frame): string {
    this.#number = Number(numbered.exec(data)?.[1] ?? this.#number) + 1
    if (event !== undefined && telling.test(event)) return this.#tell(event, data)
    if (event?.startsWith('response.output_item.')) this.#note(event, data)
    return sseFrame(event === undefined ? { data } : { event, data })
  }

  /** What was read from the events. */
  hear(event: NeutralEvent): void {
    if (event.type === 'text') this.#text += event.text
    if (event.type === 'usage') this.#usage = event.usage
  }

  /** Ends it here, since no more is paid for. */
  cut(): string {
    return this.#last({ status: 'incomplete', finish: 'quota' })
  }

  fail(error: DialectError): string {
    return this.#last({ status: 'failed', error })
  }

  #tell(event: string, data: string): string {
    const said = JSON.parse(data) as JsonObject
    const response = isObject(said['response']) ? ownResponse(said['response'], this.#about) : {}
    return sseFrame({ event, data: JSON.stringify({ ...said, response }) })
  }

  #note(event: string, data: string): void {
    const { item } = JSON.parse(data) as JsonObject
    if (!isObject(item)) return
    this.#text = ''
    if (event === 'response.output_item.added') this.#open = item
    else {
      this.#open = undefined
      this.#done.push(item)
    }
  }

  #last(state: Pick<Parameters<typeof presentResponse>[1], 'status' | 'finish' | 'error'>): string {
    const open = this.#open?.['type'] === 'message' ? [{ ...this.#open, ...this.#partial }] : []
    const response = presentResponse(this.#about, { ...state, output: [...this.#done, ...open], usage: this.#usage })
    const type = `response.${state.status}`
    return sseFrame({ event: type, data: JSON.stringify({ type, sequence_number: this.#number, response }) })
  }

  get #partial(): object {
    return { status: 'incomplete', content: [{ type: 'output_text', text: this.#text, annotations: [] }] }
  }
}

/** A vendor's response as the client knows it: by the id that it can go on with, and as it asked for it. */
export function ownResponse(response: JsonObject, { id, request }: AnswerAbout): JsonObject {
  const asked = request.source?.body ?? {}
  return { ...response, id, previous_response_id: asked['previous_response_id'] ?? null, store: asked['store'] ?? true }
}
