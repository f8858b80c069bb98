import type { Redis } from 'ioredis'
import type { Logger } from '../log.ts'
import type { Bus, BusListener } from './bus.ts'

interface Envelope {
  readonly host: string
  readonly channel: string
  readonly payload: unknown
}

/** What the bus is made of: one connection speaks, the other only listens, as Redis wants it. */
interface RedisBusOptions {
  readonly speaker: Redis
  readonly listener: Redis
  readonly topic: string
  readonly hostId: string
  readonly log: Logger
}

/** The bus over one Redis channel; a word spoken while Redis is away is lost, and both sides learn that. */
export class RedisBus implements Bus {
  readonly #options: RedisBusOptions
  readonly #listeners = new Map<string, Set<BusListener>>()
  readonly #missed = new Set<() => void>()
  #isFailing = false

  private constructor(options: RedisBusOptions) {
    this.#options = options
  }

  /** Subscribes, and again after each outage. */
  static async open(options: RedisBusOptions): Promise<RedisBus> {
    const bus = new RedisBus(options)
    options.listener.on('message', (topic, text) => {
      if (topic === options.topic) bus.#hear(text)
    })
    await options.listener.subscribe(options.topic)
    options.listener.on('ready', () => void bus.#listenAgain())
    return bus
  }

  async publish(channel: string, payload: unknown): Promise<boolean> {
    const { speaker, topic, hostId, log } = this.#options
    try {
      await speaker.publish(topic, JSON.stringify({ host: hostId, channel, payload } satisfies Envelope))
      this.#isFailing = false
      return true
    } catch (error) {
      if (!this.#isFailing) log.warn({ err: error }, 'Words to the other hosts are lost')
      this.#isFailing = true
      return false
    }
  }

  subscribe(channel: string, listener: BusListener): Disposable {
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners)
    // A function of its own, so that one listener may subscribe twice and leave once.
    const entry: BusListener = (payload) => listener(payload)
    listeners.add(entry)
    return { [Symbol.dispose]: () => void listeners.delete(entry) }
  }

  onMissed(listener: () => void): Disposable {
    this.#missed.add(listener)
    return { [Symbol.dispose]: () => void this.#missed.delete(listener) }
  }

  /** Only once Redis has confirmed the subscription: what is forgotten sooner could be loaded again before a word that nobody hears. */
  async #listenAgain(): Promise<void> {
    const { listener, topic } = this.#options
    try {
      await listener.subscribe(topic)
    } catch {
      // The connection that failed is made anew, and this is called again.
      if (listener.status === 'ready') listener.disconnect(true)
      return
    }
    for (const missed of this.#missed) missed()
  }

  #hear(text: string): void {
    const envelope = parse(text)
    if (!envelope || envelope.host === this.#options.hostId) return
    for (const listener of this.#listeners.get(envelope.channel) ?? []) void this.#tell(listener, envelope)
  }

  async #tell(listener: BusListener, { channel, payload }: Envelope): Promise<void> {
    try {
      await listener(payload)
    } catch (error) {
      this.#options.log.error({ err: error, channel }, 'A listener of the bus failed')
    }
  }
}

function parse(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return undefined
  }
}
