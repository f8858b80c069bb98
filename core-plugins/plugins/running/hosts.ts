import { setTimeout } from 'node:timers/promises'
import type { Knex } from 'knex'
import { HostBehindError } from '../errors.ts'

/** A host that was not seen for so long is dead, and nobody waits for it. */
const ALIVE = '10 seconds'
const FIRST_WAIT_MILLISECONDS = 10
const LONGEST_WAIT_MILLISECONDS = 200
/** Longer than the last calls of a plugin may take. A host that lives and still does not follow holds nobody up for ever. */
const PATIENCE_MILLISECONDS = 2 * 60_000

/** What a host tells of itself. */
export interface HostReport {
  readonly generation: number
  /** Plugin → why it does not run here. */
  readonly failures: Readonly<Record<string, string>>
  /** Plugins whose last calls still run here, or whose files are still being deleted. */
  readonly leaving: readonly string[]
}

/** Which hosts live, and how far each has followed what is wanted. */
export class Hosts {
  readonly #db: Knex
  readonly #hostId: string

  constructor(db: Knex, hostId: string) {
    this.#db = db
    this.#hostId = hostId
  }

  /** Tells the others that this host lives and what it runs. */
  async report({ generation, failures, leaving }: HostReport): Promise<void> {
    const row = {
      generation,
      failures: JSON.stringify(failures),
      leaving: JSON.stringify(leaving),
      seen_at: this.#db.fn.now(),
    }
    await this.#db('plugin_hosts')
      .insert({ host_id: this.#hostId, ...row })
      .onConflict('host_id')
      .merge(row)
  }

  /** Tells the others that this host lives, busy as it may be. */
  async beat(): Promise<void> {
    await this.#db('plugin_hosts').where({ host_id: this.#hostId }).update({ seen_at: this.#db.fn.now() })
  }

  /** Takes this host off the list, and with it those that died long ago. */
  async leave(): Promise<void> {
    await this.#db('plugin_hosts')
      .where({ host_id: this.#hostId })
      .orWhereRaw(`seen_at < now() - interval '1 day'`)
      .delete()
  }

  /** Forgets every other host, for a platform that has one. */
  async forgetOthers(): Promise<void> {
    await this.#db('plugin_hosts').whereNot({ host_id: this.#hostId }).delete()
  }

  /** Resolves when every living host has followed up to a generation. */
  converged(generation: number, signal: AbortSignal): Promise<void> {
    return this.#untilNoneIs((hosts) => hosts.where('generation', '<', generation), signal)
  }

  /** Resolves when no living host still has calls or files of a plugin. */
  left(plugin: string, signal: AbortSignal): Promise<void> {
    return this.#untilNoneIs((hosts) => hosts.whereRaw('jsonb_exists(leaving, ?)', [plugin]), signal)
  }

  async #untilNoneIs(such: (hosts: Knex.QueryBuilder) => Knex.QueryBuilder, signal: AbortSignal): Promise<void> {
    const latest = Date.now() + PATIENCE_MILLISECONDS
    for (let wait = FIRST_WAIT_MILLISECONDS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MILLISECONDS)) {
      signal.throwIfAborted()
      const living = this.#db('plugin_hosts').whereRaw(`seen_at > now() - interval '${ALIVE}'`)
      const behind = await such(living).first<{ host_id: string } | undefined>('host_id')
      if (behind === undefined) return
      if (Date.now() > latest) throw new HostBehindError({ host: behind.host_id })
      await setTimeout(wait, undefined, { signal })
    }
  }
}
