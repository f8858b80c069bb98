import { StringDecoder } from 'node:string_decoder'
import { UpstreamFaultError, type WireEvent } from './vendor.ts'

/** An event that is longer is no answer of a model; what is not yet a whole event is held in memory. */
const longestEvent = 8 * 1024 * 1024

/**
 * Cuts the bytes of a stream into Server-Sent Events, as the HTML standard has them (WHATWG HTML, 9.2.6): lines end with CR, LF or both, a
 * blank line ends an event, comments and unknown fields say nothing, an event without data is none. Work grows with the bytes alone,
 * however they are cut.
 */
export class SseParser {
  readonly #decoder = new StringDecoder('utf8')
  readonly #longest: number
  #hasBegun = false
  #isAfterReturn = false
  /** The line that has no end yet. */
  #rest = ''
  #event: string | undefined
  #data: string | undefined

  /** Characters of the longest event. */
  constructor(longest = longestEvent) {
    this.#longest = longest
  }

  /** The events that are whole by now; throws an UpstreamFaultError at one without an end. */
  push(chunk: Uint8Array): readonly WireEvent[] {
    const text = this.#linesOf(this.#decoder.write(chunk))
    const events: WireEvent[] = []
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#line(this.#rest + text.slice(start, end), events)
      this.#rest = ''
      start = end + 1
    }
    if (start < text.length) this.#rest += start === 0 ? text : text.slice(start)
    if (this.#rest.length + (this.#data?.length ?? 0) > this.#longest) throw endless()
    return events
  }

  /** With LF at the end of each line, without the byte order mark that a stream may begin with. */
  #linesOf(text: string): string {
    if (text === '') return text
    let from = 0
    if (!this.#hasBegun) {
      this.#hasBegun = true
      if (text.startsWith('\uFEFF')) from = 1
    }
    if (this.#isAfterReturn && text.startsWith('\n')) from = 1
    this.#isAfterReturn = text.endsWith('\r')
    const lines = from === 0 ? text : text.slice(from)
    return lines.includes('\r') ? lines.replace(/\r\n?/g, '\n') : lines
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

function endless(): UpstreamFaultError {
  return new UpstreamFaultError({ class: 'bad_response', status: 0, message: 'An event of the stream has no end' })
}
