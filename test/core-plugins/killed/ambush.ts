import type { Trap } from './trap.ts'

/** What knex sends to the database. */
export interface Sent {
  readonly sql: string
  readonly bindings?: readonly unknown[]
  /** The connection, which a transaction has to itself. */
  readonly transaction: unknown
}

/** Lies in wait for one moment. */
export class Ambush {
  readonly trap: Trap
  /** Once its step has begun. */
  #operationId: string | undefined
  /** The transaction that records it. */
  #recording: unknown

  constructor(trap: Trap) {
    this.trap = trap
  }

  /** Whether the moment has come with this step. */
  isAtStep({ plugin, kind, step, operationId }: Record<'plugin' | 'kind' | 'step' | 'operationId', string>): boolean {
    const { trap } = this
    if ('query' in trap || plugin !== trap.plugin || kind !== trap.kind || step !== trap.step) return false
    this.#operationId = operationId
    return trap.when === 'begin'
  }

  /** Whether the moment has come before this is sent. */
  isAtQuery({ sql, bindings = [], transaction }: Sent): boolean {
    const { trap } = this
    if (this.#recording !== undefined && trap.when === 'inside') {
      return transaction === this.#recording && /^COMMIT/i.test(sql)
    }
    if ('query' in trap) {
      if (!bindings.includes(trap.value ?? trap.plugin) || !new RegExp(trap.query).test(sql)) return false
      this.#recording = transaction
      return trap.when === 'begin'
    }
    if (this.#operationId === undefined || !bindings.includes(this.#operationId)) return false
    if (/^update "plugin_operations" set "steps" = steps/.test(sql)) this.#recording = transaction
    return this.#recording !== undefined && /^update "plugin_operations" set "(step|state)"/.test(sql)
  }
}
