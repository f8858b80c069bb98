import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { CallContext } from '../capability.ts'
import { Refusal } from '../refusal.ts'
import { statementError } from './statement-error.ts'

interface Open {
  readonly id: string
  readonly trx: Knex.Transaction
  readonly timer: NodeJS.Timeout
  /** Statements of one transaction go one after the other, and its end comes after them. */
  turn: Promise<unknown>
  statements: number
}

/** The transactions of guest calls: one at a time for a call, ended by the guest, by the clock or by the end of the call. */
export class Transactions {
  readonly #open = new WeakMap<CallContext, Open>()
  /** Calls whose transaction waits for its connection: asked for twice at once, the first would be lost, open for ever. */
  readonly #opening = new WeakMap<CallContext, { readonly signal: AbortSignal; readonly done: Promise<unknown> }>()

  /** Opens one; the answer is the key that its statements carry. */
  async begin(call: CallContext, knex: Knex, signal: AbortSignal): Promise<string> {
    // One that died with its sandbox host is called again, and may still be waiting for what it had asked for.
    while (this.#opening.get(call)?.signal.aborted) await this.#opening.get(call)?.done
    if (this.#open.has(call) || this.#opening.has(call)) {
      throw new Refusal('conflict', 'transaction_open', 'The call has a transaction already')
    }
    const opening = knex.transaction()
    const done = opening.catch(() => undefined)
    this.#opening.set(call, { signal, done })
    const trx = await opening.finally(() => this.#opening.delete(call))
    const timer = setTimeout(() => void this.#end(call, open, 'rollback'), call.limits.transactionMs).unref()
    const open: Open = { id: randomUUID(), trx, timer, turn: Promise.resolve(), statements: 0 }
    this.#open.set(call, open)
    if (signal.aborted) await this.#end(call, open, 'rollback')
    else signal.addEventListener('abort', () => void this.#end(call, open, 'rollback'), { once: true })
    return open.id
  }

  /** Runs a statement in the call's transaction; after one that fails only the rollback is left. */
  async run<T>(call: CallContext, id: unknown, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const open = this.#get(call, id)
    if (++open.statements > call.limits.transactionStatements) {
      const most = call.limits.transactionStatements
      throw new Refusal('rate_limited', 'transaction_statements', `A transaction has ${most} statements at most`)
    }
    const result = open.turn.then(() => {
      this.#get(call, id)
      return work(open.trx)
    })
    open.turn = result.catch(() => undefined)
    return result
  }

  async commit(call: CallContext, id: unknown): Promise<void> {
    await this.#end(call, this.#get(call, id), 'commit')
  }

  /** A transaction that is over already is rolled back as well as it can be. */
  async rollback(call: CallContext, id: unknown): Promise<void> {
    const open = this.#open.get(call)
    if (open && open.id === id) await this.#end(call, open, 'rollback')
  }

  #get(call: CallContext, id: unknown): Open {
    const open = this.#open.get(call)
    if (open && open.id === id) return open
    throw new Refusal('conflict', 'transaction_over', 'The transaction is over: it took too long or was ended')
  }

  async #end(call: CallContext, open: Open, how: 'commit' | 'rollback'): Promise<void> {
    if (this.#open.get(call) !== open) return
    this.#open.delete(call)
    clearTimeout(open.timer)
    await open.turn
    try {
      // A commit throws unless the server said COMMIT, which after a statement that failed it never does, caught or not.
      await open.trx[how]()
    } catch (error) {
      if (how === 'commit') throw statementError(error)
      // A rollback fails when the connection is gone, and then the server has rolled back already.
    }
  }
}
