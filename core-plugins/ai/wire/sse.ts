import { StringDecoder } from 'node:string_decoder'
import { UpstreamFaultError, type WireEvent } from './vendor.ts'

/** An event that is longer is no answer of a model; what is not yet a whole event is held in memory. */
const longestEvent = 8 * 1024 * 1024

/**
 * Cuts the bytes of a stream into Server-Sent Events, as the HTML standard has them (WHATWG HTML, 9.2.6): lines end with CR, LF or both, a
 * blank line ends an event, comments and unknown fields say nothing, an event without data is none.
 */
export class SseParser {
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  #event: string | undefined
  #data: string | undefined

  /** The events that are whole by now; throws an UpstreamFaultError at one without an end. */
  push(chunk: Uint8Array): readonly WireEvent[] {
    const text = this.#rest + this.#decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    const events: WireEvent[] = []
    let start = 0
    for (let end = lineEnd(text, start); end !== -1; end = lineEnd(text, start)) {
      // A CR at the very end may be half of a line's end.
      if (text[end] === '\r' && end + 1 === text.length) break
      this.#line(text.slice(start, end), events)
      start = text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1
    }
    this.#rest = text.slice(start)
    if (this.#rest.length + (this.#data?.length ?? 0) > longestEvent) throw endless()
    return events
  }

  #line(line: string, events: WireEvent[]): void {
    if (line === '') return this.#dispatch(events)
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
    else if (field === 'event') this.#event = value
  }

  #dispatch(events: WireEvent[]): void {
    const [event, data] = [this.#event, this.#data]
    this.#event = undefined
    this.#data = undefined
    if (data !== undefined) events.push(event === undefined || event === '' ? { data } : { event, data })
  }
}

/** An event as text. */
export function sseFrame({ event, data }: WireEvent): string {
  const lines = data.includes('\n') ? data.split('\n').join('\ndata: ') : data
  return event === undefined ? `data: ${lines}\n\n` : `event: ${event}\ndata: ${lines}\n\n`
}

function lineEnd(text: string, start: number): number {
  const feed = text.indexOf('\n', start)
  const back = text.lastIndexOf('\r', feed === -1 ? text.length : feed)
  if (back < start) return feed
  return text.indexOf('\r', start)
}

function endless(): UpstreamFaultError {
  return new UpstreamFaultError({ class: 'bad_response', status: 0, message: 'An event of the stream has no end' })
}
