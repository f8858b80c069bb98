import { presentCursor, type CursorPage } from '#kernel'
import type { Knex } from 'knex'
import { OperationNotFoundError, PluginNotFoundError } from '../errors.ts'
import { findPlugin } from '../lifecycle/find-plugin.ts'
import { OperationRow } from '../models.ts'
import { presentOperation } from '../present.ts'

/** What was done to plugins, those that are gone included. */
export class OperationLog {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  /** The operations on a plugin, newest first. */
  async list(idOrName: string, page: CursorPage) {
    const rows = await this.#of(idOrName)
      .where((query) => {
        if (page.before !== undefined) void query.whereRaw('started_at < to_timestamp(? / 1000000.0)', [page.before])
      })
      .orderBy('started_at', 'desc')
      .limit(page.limit + 1)
      .select('plugin_operations.*', OperationRow.raw('(extract(epoch from started_at) * 1000000)::bigint as moment'))
    if (rows.length === 0 && !(await findPlugin(this.#db, idOrName))) throw new PluginNotFoundError()
    const items = rows as (OperationRow & { readonly moment: string })[]
    const body = presentCursor(page, items, presentOperation)
    return { ...body, next_cursor: body.has_more ? (items[page.limit - 1]?.moment ?? null) : null }
  }

  /** One operation on a plugin. */
  async get(idOrName: string, operationId: string) {
    const row = await this.#of(idOrName).findOne({ id: operationId })
    if (!row) throw new OperationNotFoundError()
    return presentOperation(row)
  }

  #of(idOrName: string) {
    const isId = /^\d{1,9}$/.test(idOrName)
    return OperationRow.with(this.#db).where(isId ? { plugin_id: Number(idOrName) } : { plugin: idOrName })
  }
}
