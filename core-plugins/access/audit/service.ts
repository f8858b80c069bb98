import type { Knex } from 'knex'
import { presentCursor, type CursorPage } from '#kernel'
import type { Audit, AuditEntry } from '../contract.ts'
import { maskSecrets } from './mask-secrets.ts'
import { AuditRow } from './models.ts'
import { presentAuditRow } from './present.ts'

/** What the log may be searched for. */
export interface AuditFilter {
  readonly action?: string
  readonly target?: string
  readonly actor_id?: number
}

/** Keeps who did what, a log for each tenant. */
export class AuditLog implements Audit {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  async record(entry: AuditEntry, trx?: Knex.Transaction): Promise<void> {
    await AuditRow.of(entry.tenantId, trx ?? this.#db).insert({
      actorScope: entry.actor?.scope ?? null,
      actorTenantId: entry.actor?.tenantId ?? null,
      actorId: entry.actor?.userId ?? null,
      action: entry.action,
      target: entry.target,
      before: maskSecrets(entry.before) ?? null,
      after: maskSecrets(entry.after) ?? null,
      traceId: entry.traceId ?? null,
    })
  }

  async list(tenantId: number, page: CursorPage, filter: AuditFilter) {
    const query = AuditRow.of(tenantId, this.#db)
      .orderBy('id', 'desc')
      .limit(page.limit + 1)
    if (page.before !== undefined) void query.where('id', '<', page.before)
    if (filter.action !== undefined) void query.where('action', filter.action)
    if (filter.target !== undefined) void query.where('target', filter.target)
    if (filter.actor_id !== undefined) void query.where('actor_id', filter.actor_id)
    return presentCursor(page, await query, presentAuditRow)
  }
}
