import { sandboxLimits } from '../limits.ts'
import { Credits, type CreditAccount } from '../wire/credits.ts'
import { counted } from '../wire/sizes.ts'

/** A call with large messages on their way to its guest. */
interface Account extends CreditAccount {
  /** What the guest does not have yet: characters by the number of the host call, '' for the input. */
  readonly onTheWay: Map<string, number>
}

/** The large messages to the guests of one sandbox host: each waits until those before it have reached their isolate. */
export class AnswerCredits {
  readonly #accounts = new Map<number, Account>()
  readonly #credits = new Credits({
    call: sandboxLimits.callAnswerBytes.max,
    plugin: sandboxLimits.pluginAnswerBytes.max,
    lane: sandboxLimits.laneAnswerBytes.max,
  })

  /** Sends a message of a call: a large one when there is room for it, and never, when the call ends before. */
  pass(call: number, plugin: string, message: string, characters: number, send: () => void): void {
    if (characters <= counted) return send()
    const account = this.#accounts.get(call) ?? { plugin, bytes: 0, onTheWay: new Map<string, number>() }
    this.#accounts.set(call, account)
    this.#credits.take(account, characters, () => {
      account.onTheWay.set(message, characters)
      send()
    })
  }

  /** The guest has a message. */
  taken(call: number, message: string): void {
    const account = this.#accounts.get(call)
    const characters = account?.onTheWay.get(message)
    if (!account || characters === undefined) return
    account.onTheWay.delete(message)
    this.#credits.giveLane(characters)
    this.#credits.give(account, characters)
  }

  /** The call has ended. */
  close(call: number): void {
    const account = this.#accounts.get(call)
    if (!account) return
    this.#accounts.delete(call)
    for (const characters of account.onTheWay.values()) this.#credits.giveLane(characters)
    this.#credits.close(account)
  }
}
