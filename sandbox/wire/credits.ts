/** How many bytes of messages may be under way in one direction; a message that has more goes when none is. */
interface CreditBounds {
  readonly call: number
  readonly plugin: number
  readonly lane: number
}

/** What one call has under way. */
export interface CreditAccount {
  readonly plugin: string
  bytes: number
}

interface Waiter {
  readonly account: CreditAccount
  readonly bytes: number
  readonly come: () => void
}

/**
 * The credit of messages between a sandbox host and the platform: a large one takes its bytes from its call, its plugin and the
 * lane before it is sent, and waits while there are too few. Plugins take turns. Nothing that is small enough to need no
 * credit ever waits.
 */
export class Credits {
  readonly #bounds: CreditBounds
  readonly #plugins = new Map<string, number>()
  /** The plugin that waits longest for its turn comes first. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  #lane = 0

  constructor(bounds: CreditBounds) {
    this.#bounds = bounds
  }

  /** Bytes under way in the lane. */
  get inUse(): number {
    return this.#lane
  }

  /** Calls the function once the bytes are taken: at once, or when others have given theirs back. */
  take(account: CreditAccount, bytes: number, come: () => void): void {
    const waiter = { account, bytes, come }
    const line = this.#waiting.get(account.plugin)
    if (line) line.add(waiter)
    else this.#waiting.set(account.plugin, new Set([waiter]))
    this.#serve()
  }

  /** Gives back what a message took from its call and plugin. */
  give(account: CreditAccount, bytes: number): void {
    const given = Math.min(bytes, account.bytes)
    account.bytes -= given
    const left = (this.#plugins.get(account.plugin) ?? 0) - given
    if (left > 0) this.#plugins.set(account.plugin, left)
    else this.#plugins.delete(account.plugin)
    this.#serve()
  }

  /** Gives back what a message took from the lane. */
  giveLane(bytes: number): void {
    this.#lane -= bytes
    this.#serve()
  }

  /** The call has ended: it waits for nothing, and has nothing under way that anybody waits for. */
  close(account: CreditAccount): void {
    const line = this.#waiting.get(account.plugin)
    for (const waiter of line ?? []) if (waiter.account === account) line?.delete(waiter)
    if (line?.size === 0) this.#waiting.delete(account.plugin)
    this.give(account, account.bytes)
  }

  #serve(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const { account, bytes, come } = next
      account.bytes += bytes
      this.#plugins.set(account.plugin, (this.#plugins.get(account.plugin) ?? 0) + bytes)
      this.#lane += bytes
      come()
    }
  }

  /** The first that may go, its plugin behind the others. Nobody passes one who waits for the lane alone. */
  #next(): Waiter | undefined {
    for (const [plugin, line] of this.#waiting) {
      const ofPlugin = this.#plugins.get(plugin) ?? 0
      for (const waiter of line) {
        const { account, bytes } = waiter
        if (!hasRoom(ofPlugin, bytes, this.#bounds.plugin)) break
        if (!hasRoom(account.bytes, bytes, this.#bounds.call)) continue
        if (!hasRoom(this.#lane, bytes, this.#bounds.lane)) return undefined
        line.delete(waiter)
        this.#waiting.delete(plugin)
        if (line.size > 0) this.#waiting.set(plugin, line)
        return waiter
      }
    }
    return undefined
  }
}

function hasRoom(inUse: number, bytes: number, most: number): boolean {
  return inUse === 0 || inUse + bytes <= most
}
