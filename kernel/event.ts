import type { Knex } from 'knex'
import type { Bus } from './data/bus.ts'
import type { Logger } from './log.ts'

/** A kind of event with the type of its payload; the payload is plain JSON data. */
export interface EventRef<P> {
  readonly id: `${string}.${string}`
  /** Carries the type; never set. */
  readonly payload?: P
}

/** Hears an event; what it throws is logged and stops nobody else. */
export type Listener<P> = (payload: P) => void | Promise<void>

/** Writes down what follows an event, in the transaction of its cause; what it throws ends that transaction. */
export type Witness<P> = (trx: Knex.Transaction, payload: P) => Promise<void>

/** Which emissions a listener hears: those of this host, so that each is handled once, or those of every host, to forget what is cached. */
export type Reach = 'this-host' | 'every-host'

/** Declares an event; the id is `<plugin>.<past participle>`. */
export function defineEvent<P>(id: `${string}.${string}`): EventRef<P> {
  return { id }
}

/** The kernel has enabled all plugins it was started with and answers requests. */
export const kernelStarted = defineEvent<Record<string, never>>('kernel.started')
/** This host begins to stop: it takes nobody in any more, and lets what is under way end. */
export const kernelStopping = defineEvent<Record<string, never>>('kernel.stopping')
/** A plugin of this host is enabled; its routes answer. */
export const pluginEnabled = defineEvent<{ name: string; version: string }>('kernel.plugin_enabled')
/** A plugin of this host is disabled; nothing of it is registered any more. */
export const pluginDisabled = defineEvent<{ name: string }>('kernel.plugin_disabled')

/** Brings events to their listeners, in this process and, through the bus, on other hosts. */
export class EventHub {
  readonly #listeners = new Map<string, Set<{ listener: Listener<never>; reach: Reach }>>()
  readonly #witnesses = new Map<string, Set<Witness<never>>>()
  readonly #bus: Bus
  readonly #log: Logger
  readonly #subscription: Disposable

  constructor(bus: Bus, log: Logger) {
    this.#bus = bus
    this.#log = log
    this.#subscription = bus.subscribe('events', (message) => {
      const { id, payload } = message as { id: string; payload: unknown }
      void this.#deliver(id, payload, 'every-host')
    })
  }

  /** Listens until the result is disposed. */
  on<P>(event: EventRef<P>, listener: Listener<P>, reach: Reach = 'this-host'): Disposable {
    const entry = { listener: listener as Listener<never>, reach }
    const listeners = this.#listeners.get(event.id) ?? new Set()
    this.#listeners.set(event.id, listeners.add(entry))
    return {
      [Symbol.dispose]: () => {
        listeners.delete(entry)
        if (listeners.size === 0 && this.#listeners.get(event.id) === listeners) this.#listeners.delete(event.id)
      },
    }
  }

  /** Is told within the transactions that cause an event, until the result is disposed. */
  onWithin<P>(event: EventRef<P>, witness: Witness<P>): Disposable {
    const witnesses = this.#witnesses.get(event.id) ?? new Set()
    this.#witnesses.set(event.id, witnesses.add(witness as Witness<never>))
    return {
      [Symbol.dispose]: () => {
        witnesses.delete(witness as Witness<never>)
        if (witnesses.size === 0 && this.#witnesses.get(event.id) === witnesses) this.#witnesses.delete(event.id)
      },
    }
  }

  /** Has what follows an event written down with its cause: both or neither. Who emits does so as well, once the transaction holds. */
  async emitWithin<P>(trx: Knex.Transaction, event: EventRef<P>, payload: P): Promise<void> {
    for (const witness of this.#witnesses.get(event.id) ?? []) await witness(trx, payload as never)
  }

  /** Tells this host's listeners, waits for them, and tells the other hosts; answers whether no listener failed and the word went out. */
  async emit<P>(event: EventRef<P>, payload: P): Promise<boolean> {
    const isHeard = await this.#deliver(event.id, payload)
    const isTold = await this.#bus.publish('events', { id: event.id, payload })
    return isHeard && isTold
  }

  /** How many listeners each event has, for the leak check of tests. */
  get listenerCounts(): Readonly<Record<string, number>> {
    const counts = [...this.#listeners].map(([id, listeners]) => [id, listeners.size] as const)
    const within = [...this.#witnesses].map(([id, witnesses]) => [`${id} (within)`, witnesses.size] as const)
    return Object.fromEntries([...counts, ...within].sort())
  }

  /** Stops hearing other hosts. */
  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]()
  }

  async #deliver(id: string, payload: unknown, only?: Reach): Promise<boolean> {
    const entries = [...(this.#listeners.get(id) ?? [])].filter((entry) => only === undefined || entry.reach === only)
    const heard = await Promise.all(
      entries.map(async ({ listener }) => {
        try {
          await listener(payload as never)
          return true
        } catch (error) {
          this.#log.error({ err: error, event: id }, 'a listener failed')
          return false
        }
      }),
    )
    return heard.every(Boolean)
  }
}
