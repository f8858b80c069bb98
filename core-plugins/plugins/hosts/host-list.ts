import { presentPage, type Page, type TextTeller } from '#kernel'
import type { Knex } from 'knex'
import type { HostFault } from '../running/host-faults.ts'
import { aliveWithin, type RunningPlugin } from '../running/hosts.ts'
import type { RowKeepers } from '../shared/row-keepers.ts'

interface Row {
  readonly host_id: string
  readonly version: string | null
  readonly generation: string
  readonly started_at: Date
  readonly seen_at: Date
  readonly alive: boolean
  readonly heap_used: string | null
  readonly heap_total: string | null
  readonly rss: string | null
  readonly plugins: readonly RunningPlugin[]
  readonly faults: readonly HostFault[]
}

/** Which hosts a list shows; what is left out does not matter. */
interface HostFilter {
  readonly alive?: boolean
  readonly is_this?: boolean
  readonly version?: string
}

const isAlive = `seen_at > now() - interval '${aliveWithin}'`

/** The hosts of the platform as they tell of themselves; one that died stays on the list for a day. */
export class HostList {
  readonly #db: Knex
  readonly #hostId: string
  readonly #rows: RowKeepers
  readonly #teller: TextTeller

  constructor(db: Knex, hostId: string, rows: RowKeepers, teller: TextTeller) {
    this.#db = db
    this.#rows = rows
    this.#hostId = hostId
    this.#teller = teller
  }

  /** A page of hosts, with what waits for any of them. */
  async list(page: Page, { alive, is_this: isThis, version }: HostFilter, locale: string) {
    const found = () =>
      this.#db('plugin_hosts').where((query) => {
        if (page.pattern !== undefined) void query.whereILike('host_id', page.pattern)
        if (alive !== undefined) void query.whereRaw(`(${isAlive}) = ?`, [alive])
        if (isThis !== undefined) void query.where('host_id', isThis ? '=' : '<>', this.#hostId)
        if (version !== undefined) void query.where({ version })
      })
    const [counted] = await found().count<{ count: string }[]>()
    const rows = await found()
      .orderBy([...page.sort, { column: 'host_id', order: 'asc' }])
      .limit(page.size)
      .offset(page.offset)
      .select<Row[]>('*', this.#db.raw(`${isAlive} as alive`))
    const items = rows.map((row) => presentHost(row, this.#hostId, (fault) => tellFault(fault, this.#teller, locale)))
    return { ...presentPage(page, Number(counted?.count ?? 0), items), jobs: await this.#jobs() }
  }

  /** What waits or is worked on, by kind, on whichever host. */
  async #jobs() {
    const [running] = await this.#db('plugin_operations').where({ state: 'running' }).count<{ count: string }[]>()
    const waits = this.#rows.all.flatMap(({ waiting }) => waiting ?? [])
    const kept = waits.map(async (waiting) => ({ kind: waiting.kind, waiting: await waiting.count() }))
    return [...(await Promise.all(kept)), { kind: 'plugin_operation', waiting: Number(running?.count ?? 0) }]
  }
}

/** Why a plugin does not run on a host, in the language of who reads it. */
function tellFault({ said, ...fault }: HostFault, teller: TextTeller, locale: string) {
  return { ...fault, reason: teller.tellKept(fault.reason, said ?? null, locale) }
}

function presentHost(row: Row, own: string, tell: (fault: HostFault) => object) {
  const { started_at, seen_at } = row
  return {
    id: row.host_id,
    is_this: row.host_id === own,
    alive: row.alive,
    version: row.version,
    generation: Number(row.generation),
    started_at: started_at.toISOString(),
    seen_at: seen_at.toISOString(),
    uptime_seconds: Math.max(0, Math.floor((seen_at.getTime() - started_at.getTime()) / 1000)),
    memory: { heap_used: bytes(row.heap_used), heap_total: bytes(row.heap_total), rss: bytes(row.rss) },
    plugins: row.plugins,
    faults: row.faults.map(tell),
  }
}

function bytes(value: string | null): number | null {
  return value === null ? null : Number(value)
}
