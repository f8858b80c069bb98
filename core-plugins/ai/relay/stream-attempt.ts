import type { CallListener, ProviderExchange } from '../connection/call.ts'
import type { NeutralEvent } from '../wire/neutral.ts'
import { SseParser } from '../wire/sse.ts'
import { UpstreamFaultError, type AskedVendor, type StreamReader, type WireEvent } from '../wire/vendor.ts'
import { askStream } from './asked-answer.ts'
import { providerCallOf, readOptionsOf, readyToAsk, vendorCallOf, type AttemptParts } from './attempt-parts.ts'
import { asFault, AttemptFault } from './fault.ts'
import { OutputMeter } from './output-meter.ts'

/** Hears an attempt once it has begun to answer; nothing comes after `end` and `fail`. */
export interface AttemptListener {
  events(events: readonly NeutralEvent[]): void
  /** Whole, or cut since it was more than what is held for. */
  end(how: 'finished' | 'over_quota'): void
  fail(fault: AttemptFault): void
}

/** Of a refusal as much is read. */
const mostFaultBytes = 1_048_576
/** Of an answer as much is read: some for the whole of it, and some for each token; many times what any vendor sends. */
const mostBytes = { whole: 8_388_608, token: 4_096, ever: 100_663_296 }
/** So many steps has an answer that says nothing, and so many more for each token of it. */
const mostSteps = { whole: 10_000, token: 16 }

/** An attempt at a stream: opened until it says something, then heard. No promise for a piece of it. */
export class StreamAttempt implements CallListener {
  readonly meter: OutputMeter
  readonly #parts: AttemptParts
  readonly #localEnd = new AbortController()
  readonly #opened = Promise.withResolvers<void>()
  readonly #sse = new SseParser()
  readonly #begun = performance.now()
  #exchange: ProviderExchange | undefined
  #reader: StreamReader | undefined
  #refusal: { status: number; headers: Readonly<Record<string, string>>; pieces: Buffer[]; bytes: number } | undefined
  #listener: AttemptListener | undefined
  #waiting: NeutralEvent[] = []
  #end: 'finished' | 'over_quota' | AttemptFault | undefined
  #isTold = false
  #bytes = 0
  #steps = 0
  /** While the reader takes no more. */
  #paused: PromiseWithResolvers<void> | undefined
  ttftMs: number | undefined
  /** Fields that the vendor was not told. */
  dropped: readonly string[] = []
  /** The request may have reached the provider. */
  hasSent = false

  constructor(parts: AttemptParts) {
    this.#parts = parts
    this.meter = new OutputMeter(parts.maxOutputTokens)
    this.#opened.promise.catch(() => undefined)
  }

  /** Resolves when the first thing is said, or the answer is over; throws an AttemptFault, and what the vendor cannot be told. */
  open(): Promise<void> {
    const { provider, connection, timeouts } = this.#parts
    if (provider.vendor.local) {
      this.hasSent = true
      void this.#runLocal()
      return this.#opened.promise
    }
    if (provider.vendor.asked) return this.#openAsked(provider.vendor.asked)
    const call = vendorCallOf(this.#parts)
    this.dropped = call.dropped
    this.#reader = provider.vendor.reader(readOptionsOf(this.#parts, call))
    this.hasSent = true
    this.#exchange = connection.open(providerCallOf(call, provider, timeouts), this)
    return this.#opened.promise
  }

  /** Hears what has come, and what comes. */
  listen(listener: AttemptListener): void {
    this.#listener = listener
    const waiting = this.#waiting
    this.#waiting = []
    if (waiting.length > 0) listener.events(waiting)
    this.#tellEnd()
  }

  /** The reader takes no more for the moment. */
  pause(): void {
    this.#exchange?.pause()
    this.#paused ??= Promise.withResolvers()
  }

  resume(): void {
    this.#exchange?.resume()
    this.#paused?.resolve()
    this.#paused = undefined
  }

  /** Closes the connection at once; nobody is told. */
  stop(): void {
    this.#isTold = true
    this.#finish(new AttemptFault('truncated', 'Nobody waits for the answer any more'))
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    if (status >= 300) this.#refusal = { status, headers, pieces: [], bytes: 0 }
  }

  piece(bytes: Buffer): void {
    if (this.#end !== undefined) return
    if (this.#refusal) {
      this.#refusal.bytes += bytes.length
      if (this.#refusal.bytes <= mostFaultBytes) this.#refusal.pieces.push(bytes)
      return
    }
    this.#bytes += bytes.length
    const { whole, token, ever } = mostBytes
    try {
      if (this.#bytes > Math.min(whole + token * this.#parts.maxOutputTokens, ever)) throw tooMuch()
      this.#read(this.#sse.push(bytes))
    } catch (error) {
      this.fail(error)
    }
  }

  end(): void {
    if (this.#end !== undefined) return
    if (this.#refusal) {
      const { status, headers, pieces } = this.#refusal
      const text = Buffer.concat(pieces).toString('utf8')
      return this.fail(new UpstreamFaultError(this.#parts.provider.vendor.fault(status, headers, text)))
    }
    if (this.#reader?.end() === 'complete') return this.#finish('finished')
    this.fail(new AttemptFault('truncated', 'The stream ended before the answer did'))
  }

  fail(error: unknown): void {
    if (this.#end !== undefined) return
    // What was only not closed is whole.
    if (this.meter.hasFinished && this.#reader?.end() !== 'truncated') return this.#finish('finished')
    this.#finish(asFault(error))
  }

  #read(events: readonly WireEvent[]): void {
    const steps: NeutralEvent[] = []
    let isLast = false
    for (const event of events) {
      for (const step of this.#reader?.push(event) ?? []) steps.push(step)
      isLast ||= isTerminator(event)
    }
    this.#push(steps)
    // The connection is read to its end all the same, to be used again.
    if (isLast && this.#reader?.end() === 'complete') this.#finish('finished')
  }

  async #openAsked(vendor: AskedVendor): Promise<void> {
    const { dropped, asked } = await readyToAsk(this.#parts, vendor, this.#localEnd.signal)
    this.dropped = dropped
    this.hasSent = true
    void this.#runAsked(askStream(asked))
    return this.#opened.promise
  }

  async #runAsked(answer: AsyncIterable<readonly NeutralEvent[]>): Promise<void> {
    try {
      for await (const steps of answer) {
        this.#push(steps)
        await this.#paused?.promise
        if (this.#end !== undefined) return
      }
      if (!this.meter.hasFinished) throw new AttemptFault('truncated', 'The stream ended before the answer did')
      this.#finish('finished')
    } catch (error) {
      this.fail(error)
    }
  }

  async #runLocal(): Promise<void> {
    const { provider, request, model, maxOutputTokens } = this.#parts
    const options = { upstreamModel: model.upstreamModel, secrets: {}, maxOutputTokens }
    try {
      for await (const event of provider.vendor.local?.chat(request, options, this.#localEnd.signal) ?? []) {
        if (this.#end !== undefined) return
        this.#push([event])
      }
      this.#finish('finished')
    } catch (error) {
      this.fail(error)
    }
  }

  #push(events: readonly NeutralEvent[]): void {
    this.#steps += events.length
    if (this.#steps > mostSteps.whole + mostSteps.token * this.#parts.maxOutputTokens) return this.fail(tooMuch())
    let begins = false
    for (const event of events) if (this.meter.push(event)) begins = true
    if (events.length > 0) this.#give(events)
    if (begins) {
      this.ttftMs = performance.now() - this.#begun
      this.#exchange?.began()
      this.#opened.resolve()
    }
    if (!this.meter.isOver || this.meter.hasFinished || this.#end !== undefined) return
    this.#give([{ type: 'finish', reason: 'quota' }])
    this.#finish('over_quota')
  }

  #give(events: readonly NeutralEvent[]): void {
    if (this.#listener) this.#listener.events(events)
    else this.#waiting.push(...events)
  }

  #finish(end: 'finished' | 'over_quota' | AttemptFault): void {
    if (this.#end !== undefined) return
    this.#end = end
    if (end !== 'finished') {
      this.#exchange?.abort()
      this.#localEnd.abort()
      this.resume()
    }
    if (end instanceof AttemptFault) this.#opened.reject(end)
    else this.#opened.resolve()
    this.#tellEnd()
  }

  #tellEnd(): void {
    if (!this.#listener || this.#end === undefined || this.#isTold) return
    this.#isTold = true
    if (this.#end instanceof AttemptFault) this.#listener.fail(this.#end)
    else this.#listener.end(this.#end)
  }
}

/** What OpenAI's and Anthropic's streams end with; nothing of the answer comes after it. */
const terminators: ReadonlySet<string | undefined> = new Set([
  ...['message_stop', 'response.completed', 'response.incomplete'],
])

function isTerminator({ event, data }: WireEvent): boolean {
  return data === '[DONE]' || terminators.has(event)
}

function tooMuch(): AttemptFault {
  return new AttemptFault('truncated', 'The provider sends more than any answer has')
}

/** How a run makes an attempt and opens it. */
export const attempting = [
  (parts: AttemptParts): StreamAttempt => new StreamAttempt(parts),
  (attempt: StreamAttempt): Promise<void> => attempt.open(),
] as const
