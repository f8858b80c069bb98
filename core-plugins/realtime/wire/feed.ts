import type { WireFeed, WireKind, WireNews } from '../contract.ts'
import { tenantOf } from '../connections/keys.ts'
import type { Told, WireEvent } from './wire-event.ts'

/** Hands what clients are told to those who bring it elsewhere. */
export class Feed implements WireFeed {
  readonly kinds: readonly WireKind[]
  readonly #listeners = new Set<(news: WireNews) => Promise<void>>()

  constructor(events: readonly WireEvent[]) {
    const kinds = events.map(({ namespace, name, summary, data, permissions = [] }) => {
      return { namespace, name, summary, data, permissions }
    })
    this.kinds = [...new Map(kinds.map((kind) => [`${kind.namespace} ${kind.name}`, kind])).values()]
  }

  onTold(listener: (news: WireNews) => Promise<void>): Disposable {
    const entry = (news: WireNews): Promise<void> => listener(news)
    this.#listeners.add(entry)
    return { [Symbol.dispose]: () => void this.#listeners.delete(entry) }
  }

  async tell({ namespace, name }: WireEvent, { key, data }: Told, ts: string): Promise<void> {
    const tenantId = tenantOf(key)
    if (tenantId === undefined) return
    await Promise.all([...this.#listeners].map((listener) => listener({ namespace, name, tenantId, ts, data })))
  }
}
