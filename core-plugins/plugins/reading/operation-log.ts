import { presentCursor, whatIsGiven, wherePeriod, type CursorPage, type Period, type TextTeller } from '#kernel'
import type { Knex } from 'knex'
import type { QueryBuilderType } from 'objection'
import type { UserDirectory } from '../../users/contract.ts'
import { OperationNotFoundError, PluginNotFoundError } from '../shared/errors.ts'
import { findPlugin } from '../shared/find-plugin.ts'
import { OperationRow } from '../shared/models.ts'
import type { OperationKind } from '../shared/operation-kinds.ts'
import { presentOperation, readActors } from './present-operation.ts'

type Operations = QueryBuilderType<OperationRow>

/** Which operations are listed. */
interface OperationFilter extends Period {
  readonly kind?: OperationKind
  readonly state?: OperationRow['state']
  readonly actor?: number
  readonly plugin?: string
}

/** What was done to plugins, those that are gone included. */
export class OperationLog {
  readonly #db: Knex
  readonly #teller: TextTeller
  readonly #users: Pick<UserDirectory, 'list'>

  constructor(
    db: Knex,
    { teller, users }: { readonly teller: TextTeller; readonly users: Pick<UserDirectory, 'list'> },
  ) {
    this.#db = db
    this.#teller = teller
    this.#users = users
  }

  /** The operations on a plugin, newest first. */
  async list(idOrName: string, page: CursorPage, filter: OperationFilter, locale: string) {
    const body = await this.#page(this.#of(idOrName), page, filter, locale)
    if (body.items.length === 0) await this.#requireKnown(idOrName)
    return body
  }

  /** The operations on every plugin, newest first. */
  listAll(page: CursorPage, filter: OperationFilter, locale: string) {
    return this.#page(OperationRow.with(this.#db), page, filter, locale)
  }

  /** One operation on a plugin. */
  async get(idOrName: string, operationId: string, locale: string) {
    const row = await this.#of(idOrName).findOne({ id: operationId })
    if (row) {
      const actors = await readActors(this.#users, [row])
      return presentOperation(row, { teller: this.#teller, locale, actors })
    }
    await this.#requireKnown(idOrName)
    throw new OperationNotFoundError()
  }

  /** Of a plugin that is gone there is at least the operation that removed it. */
  async #requireKnown(idOrName: string): Promise<void> {
    if (await findPlugin(this.#db, idOrName)) return
    if ((await this.#of(idOrName).resultSize()) === 0) throw new PluginNotFoundError()
  }

  #of(idOrName: string) {
    const isId = /^\d{1,9}$/.test(idOrName)
    return OperationRow.with(this.#db).where(isId ? { plugin_id: Number(idOrName) } : { plugin: idOrName })
  }

  /** The moment of an operation is its place: no two of one plugin are alike, because one waits for the other's lock. */
  async #page(query: Operations, page: CursorPage, filter: OperationFilter, locale: string) {
    const { kind, state, actor, plugin, from, to } = filter
    void query.where(whatIsGiven<string | number>({ kind, state, actor, plugin }))
    wherePeriod(query, 'started_at', { from, to })
    if (page.before !== undefined) void query.whereRaw('started_at < to_timestamp(? / 1000000.0)', [page.before])
    const rows = await query
      .orderBy('started_at', 'desc')
      .limit(page.limit + 1)
      .select('plugin_operations.*', OperationRow.raw('(extract(epoch from started_at) * 1000000)::bigint as moment'))
    const items = rows as (OperationRow & { readonly moment: string })[]
    const reader = { teller: this.#teller, locale, actors: await readActors(this.#users, items) }
    const body = presentCursor(page, items, (row) => presentOperation(row, reader))
    return { ...body, next_cursor: body.has_more ? (items[page.limit - 1]?.moment ?? null) : null }
  }
}
