import type { Redis } from 'ioredis'
import type { Logger } from '../../log.ts'
import { createTail, eventId, idAfter, positionOf, type Position } from './event-id.ts'
import { keptEvents, keptMilliseconds, type EventLog, type LoggedEvent, type LogListener } from './event-log.ts'
import { appendScript, headScript, readScript } from './scripts.ts'

/** What the log is made of: the connections of the bus, and what sets its keys apart. */
interface RedisEventLogOptions {
  readonly speaker: Redis
  readonly listener: Redis
  readonly prefix: string
  readonly log: Logger
}

type Entry = readonly [position: string, fields: readonly [name: string, text: string]]
type Known = readonly [now: number, began: string, last: string, ...streams: (readonly Entry[])[]]
type Scripts = Redis & {
  stoaAppend(clock: string, stream: string, ...rest: (string | number)[]): Promise<string>
  stoaHead(clock: string, cut: string, channel: string): Promise<string>
  stoaRead(keys: number, ...rest: (string | number)[]): Promise<Known | readonly []>
}

/** Where marks are told: no key of an event. */
const markKey = '.'
// A little longer than what is kept: whoever asks for the oldest of it finds it.
const expiresMilliseconds = keptMilliseconds + 60_000

/** The log of all hosts, in Redis streams; what could not be written is told to everybody who reads, once Redis is back. */
export class RedisEventLog implements EventLog {
  readonly #redis: Scripts
  readonly #options: RedisEventLogOptions
  readonly #listeners = new Set<LogListener>()
  /** Something could not be written since it was last told. */
  #hasGap = false
  /** Something may not have been heard since it was last told. */
  #hasMissed = false
  #isFailing = false
  /** The question for the head that is on its way, and the one after it. */
  #asked: Promise<string | undefined> | undefined
  #askedNext: Promise<string | undefined> | undefined

  private constructor(options: RedisEventLogOptions) {
    const { speaker } = options
    speaker.defineCommand('stoaAppend', { numberOfKeys: 2, lua: appendScript })
    speaker.defineCommand('stoaHead', { numberOfKeys: 1, lua: headScript })
    speaker.defineCommand('stoaRead', { lua: readScript })
    this.#redis = speaker as Scripts
    this.#options = options
  }

  /** Subscribes, and again after each outage. */
  static async open(options: RedisEventLogOptions): Promise<RedisEventLog> {
    const log = new RedisEventLog(options)
    const { listener, speaker } = options
    listener.on('pmessage', (pattern, channel, text) => {
      if (pattern === log.#channel('*')) log.#hear(channel, text)
    })
    await listener.psubscribe(log.#channel('*'))
    listener.on('close', () => {
      for (const one of log.#listeners) one.lost()
    })
    listener.on('ready', () => void log.#listenAgain())
    speaker.on('ready', () => void log.#speakAgain())
    return log
  }

  async append(key: string, payload: unknown): Promise<string | undefined> {
    const tail = createTail()
    const text = tail + JSON.stringify(payload)
    const position = await this.#attempt(async () => {
      await this.#closeGap()
      const limits = [keptEvents + 1, expiresMilliseconds, this.#channel(key)]
      return await this.#redis.stoaAppend(this.#clock, this.#stream(key), text, ...limits)
    })
    if (position === undefined) this.#hasGap = true
    return position === undefined ? undefined : eventId(readPosition(position), tail)
  }

  /** Whoever asks while a question is on its way shares the next one: its answer is no older than they ask. */
  head(): Promise<string | undefined> {
    if (!this.#asked) return this.#askHead()
    this.#askedNext ??= this.#asked.then(() => {
      this.#askedNext = undefined
      return this.#askHead()
    })
    return this.#askedNext
  }

  async mark(): Promise<void> {
    await this.#attempt(() => this.#redis.stoaHead(this.#clock, 'mark', this.#channel(markKey)))
  }

  async readAfter(keys: readonly string[], id: string): Promise<readonly LoggedEvent[] | undefined> {
    const at = positionOf(id)
    if (!at) return undefined
    const streams = keys.map((key) => this.#stream(key))
    const after = `${at.milliseconds}-${at.count}`
    const known = await this.#redis.stoaRead(streams.length + 1, this.#clock, ...streams, after, keptEvents)
    if (!isWhole(known)) return undefined
    const [now, began, last, ...entries] = known
    const isKept = at.milliseconds >= now - keptMilliseconds && id >= idAfter(readPosition(began)).slice(0, 18)
    if (!isKept || id > idAfter(readPosition(last))) return undefined
    const events = entries.flatMap((of, index) => of.map((entry) => readEntry(keys[index] as string, entry)))
    return events.sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  subscribe(listener: LogListener): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  async #askHead(): Promise<string | undefined> {
    const answer = this.#attempt(() => this.#redis.stoaHead(this.#clock, '', ''))
    this.#asked = answer
    const position = await answer
    if (this.#asked === answer) this.#asked = undefined
    return position === undefined ? undefined : idAfter(readPosition(position))
  }

  get #clock(): string {
    return `${this.#options.prefix}clock`
  }

  #stream(key: string): string {
    return `${this.#options.prefix}events:${key}`
  }

  /** `ws:<namespace>:<tenant>:<user or *>` for what clients hear. */
  #channel(key: string): string {
    return `${this.#options.prefix}ws:${key}`
  }

  async #closeGap(): Promise<void> {
    if (!this.#hasGap) return
    await this.#redis.stoaHead(this.#clock, 'cut', this.#channel(''))
    this.#hasGap = false
  }

  /** Only once Redis has confirmed it, as the bus does. */
  async #listenAgain(): Promise<void> {
    const { listener } = this.#options
    try {
      await listener.psubscribe(this.#channel('*'))
    } catch {
      if (listener.status === 'ready') listener.disconnect(true)
      return
    }
    this.#hasMissed = true
    this.#tellMissed()
  }

  async #speakAgain(): Promise<void> {
    await this.#attempt(() => this.#closeGap())
    this.#tellMissed()
  }

  /** Only once both connections stand: what was missed is read over the other one. */
  #tellMissed(): void {
    if (!this.#hasMissed || this.#redis.status !== 'ready') return
    this.#hasMissed = false
    for (const one of this.#listeners) one.missed()
  }

  #hear(channel: string, text: string): void {
    const key = channel.slice(this.#channel('').length)
    if (key === markKey) {
      for (const one of this.#listeners) one.reached(idAfter(readPosition(text)))
      return
    }
    const space = text.indexOf(' ')
    if (key === '' || space === -1) {
      for (const one of this.#listeners) one.missed()
      return
    }
    const event = readEntry(key, [text.slice(0, space), ['t', text.slice(space + 1)]])
    for (const one of this.#listeners) one.heard(event)
  }

  async #attempt<T>(command: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await command()
      this.#isFailing = false
      return answer
    } catch (error) {
      if (!this.#isFailing) this.#options.log.warn({ err: error }, 'The log of events cannot be reached')
      this.#isFailing = true
      return undefined
    }
  }
}

function isWhole(known: Known | readonly []): known is Known {
  return known.length > 0
}

function readPosition(text: string): Position {
  const [milliseconds, count] = text.split('-')
  return { milliseconds: Number(milliseconds), count: Number(count) }
}

function readEntry(key: string, [position, [, text]]: Entry): LoggedEvent {
  return { id: eventId(readPosition(position), text.slice(0, 16)), key, payload: JSON.parse(text.slice(16)) as unknown }
}
