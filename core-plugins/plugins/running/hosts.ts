import { setTimeout } from 'node:timers/promises'
import { platformVersion, saidOf, type Said } from '#kernel'
import type { Knex } from 'knex'
import { HostBehindError } from '../shared/errors.ts'
import type { HostFault } from './host-faults.ts'

/** A host that was not seen for so long is dead, and nobody waits for it. */
export const aliveWithin = '10 seconds'
const firstWaitMilliseconds = 10
const longestWaitMilliseconds = 200
/** Longer than the last calls of a plugin may take. A host that lives and still does not follow holds nobody up for ever. */
const patienceMilliseconds = 2 * 60_000

/** A plugin as it runs on a host. */
export interface RunningPlugin {
  readonly name: string
  readonly version: string | null
}

/** What a host tells of itself. */
interface HostReport {
  readonly generation: number
  readonly plugins: readonly RunningPlugin[]
  /** What this host could not start. */
  readonly faults: readonly HostFault[]
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
  async report({ generation, plugins, faults, leaving }: HostReport): Promise<void> {
    const row = {
      generation,
      version: platformVersion,
      plugins: JSON.stringify(plugins),
      faults: JSON.stringify(faults),
      leaving: JSON.stringify(leaving),
      ...this.#signsOfLife(),
    }
    await this.#db('plugin_hosts')
      .insert({ host_id: this.#hostId, ...row })
      .onConflict('host_id')
      .merge(row)
  }

  /** Tells the others that this host lives, busy as it may be. */
  async beat(): Promise<void> {
    await this.#db('plugin_hosts').where({ host_id: this.#hostId }).update(this.#signsOfLife())
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

  /** Why no living host could start a plugin as it is wanted, by the word of one of them; undefined where one could, or had not to. */
  async faultOfAll(plugin: string): Promise<Said | undefined> {
    const rows = await this.#db('plugin_hosts')
      .whereRaw(`seen_at > now() - interval '${aliveWithin}'`)
      .orWhere({ host_id: this.#hostId })
      .select<{ faults: readonly HostFault[] }[]>('faults')
    const found = rows.map(({ faults }) => faults.find((fault) => fault.plugin === plugin))
    return found[0] && !found.includes(undefined) ? saidOf(found[0].reason, found[0].said ?? null) : undefined
  }

  #signsOfLife() {
    const { heapUsed, heapTotal, rss } = process.memoryUsage()
    return { seen_at: this.#db.fn.now(), heap_used: heapUsed, heap_total: heapTotal, rss }
  }

  async #untilNoneIs(such: (hosts: Knex.QueryBuilder) => Knex.QueryBuilder, signal: AbortSignal): Promise<void> {
    const latest = Date.now() + patienceMilliseconds
    for (let wait = firstWaitMilliseconds; ; wait = Math.min(wait * 2, longestWaitMilliseconds)) {
      signal.throwIfAborted()
      const living = this.#db('plugin_hosts').whereRaw(`seen_at > now() - interval '${aliveWithin}'`)
      const behind = await such(living).first<{ host_id: string } | undefined>('host_id')
      if (behind === undefined) return
      if (Date.now() > latest) throw new HostBehindError({ host: behind.host_id })
      await setTimeout(wait, undefined, { signal })
    }
  }
}
