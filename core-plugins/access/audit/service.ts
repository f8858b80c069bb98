import type { Knex } from 'knex'
import { presentCursor, whatIsGiven, wherePeriod, type CursorPage, type Logger, type Period } from '#kernel'
import type { Audit, AuditEntry, TargetSource } from '../contract.ts'
import type { UserNames } from '../user-names.ts'
import { listActions } from './list-actions.ts'
import { maskSecrets } from './mask-secrets.ts'
import { AuditRow } from './models.ts'
import { nameLines } from './name-lines.ts'
import { nameOwnTargets } from './own-targets.ts'
import { presentAuditRow } from './present.ts'
import { TargetNames } from './target-names.ts'

const exportedAtOnce = 500
const deletedAtOnce = 5_000

/** What the log may be searched for. */
interface AuditFilter extends Period {
  readonly id?: number
  /** How the action begins. */
  readonly action?: string
  readonly target?: string
  /** How the target begins, such as `role:`. */
  readonly target_prefix?: string
  /** What the action or the target contains. */
  readonly q?: string
  readonly actor_id?: number
  /** An administrator of the platform who acted in the actor's place. */
  readonly acting_id?: number
  readonly trace_id?: string
}

/** Keeps who did what, a log for each tenant. */
export class AuditLog implements Audit {
  readonly #db: Knex
  readonly #names: UserNames
  readonly #targets: TargetNames

  constructor(db: Knex, names: UserNames, log: Pick<Logger, 'warn'>) {
    this.#targets = new TargetNames(log)
    this.#db = db
    this.#names = names
    nameOwnTargets(this.#targets, names, db)
  }

  nameTargets(kind: string, source: TargetSource): Disposable {
    return this.#targets.use(kind, source)
  }

  async record(entry: AuditEntry, trx?: Knex.Transaction): Promise<void> {
    await AuditRow.of(entry.tenantId, trx ?? this.#db).insert({
      actorScope: entry.actor?.scope ?? null,
      actorTenantId: entry.actor?.tenantId ?? null,
      actorId: entry.actor?.userId ?? null,
      actingUserId: entry.actor?.actor?.userId ?? null,
      action: entry.action,
      target: entry.target,
      before: maskSecrets(entry.before) ?? null,
      after: maskSecrets(entry.after) ?? null,
      traceId: entry.traceId ?? null,
    })
  }

  /** A page of the log, newest first, with names in the reader's language. */
  async list(tenantId: number, page: CursorPage, filter: AuditFilter, locale: string) {
    const rows = await this.#read(tenantId, page.limit + 1, page.before, filter)
    const targets = await this.#targets.of(
      tenantId,
      rows.map(({ target }) => target),
      locale,
    )
    const lines = await nameLines(rows, this.#names, targets)
    return presentCursor(page, lines, (line) => line)
  }

  /** Every action that stands in a tenant's log. */
  actions(tenantId: number): Promise<readonly string[]> {
    return listActions(tenantId, this.#db)
  }

  /** Every line that fits, newest first, read a part at a time. */
  async *all(tenantId: number, filter: AuditFilter): AsyncGenerator<ReturnType<typeof presentAuditRow>> {
    let before: number | undefined
    for (;;) {
      const rows = await this.#read(tenantId, exportedAtOnce, before, filter)
      yield* rows.map(presentAuditRow)
      if (rows.length < exportedAtOnce) return
      before = Number(rows.at(-1)?.id)
    }
  }

  /** Deletes what is older, in every log, a part at a time so that no write waits long; answers how many lines went. */
  async deleteBefore(moment: Date): Promise<number> {
    let deleted = 0
    for (;;) {
      const old = AuditRow.acrossTenants(this.#db).select('id').where('created_at', '<', moment).limit(deletedAtOnce)
      const gone = await AuditRow.acrossTenants(this.#db).delete().whereIn('id', old)
      deleted += gone
      if (gone < deletedAtOnce) return deleted
    }
  }

  async #read(
    tenantId: number,
    limit: number,
    before: number | undefined,
    { id, action, target, target_prefix, q, actor_id, acting_id: acting_user_id, trace_id, from, to }: AuditFilter,
  ): Promise<readonly AuditRow[]> {
    const query = AuditRow.of(tenantId, this.#db).orderBy('id', 'desc').limit(limit)
    void query.where(whatIsGiven<string | number>({ id, target, actor_id, acting_user_id, trace_id }))
    wherePeriod(query, 'created_at', { from, to })
    if (before !== undefined) void query.where('id', '<', before)
    // LIKE, because only it finds the beginnings of texts in an index on every PostgreSQL that we run on.
    if (action !== undefined) void query.where('action', 'like', `${escapeLike(action)}%`)
    if (target_prefix !== undefined) void query.where('target', 'like', `${escapeLike(target_prefix)}%`)
    if (q !== undefined) {
      const words = `%${escapeLike(q)}%`
      void query.where((some) => void some.where('action', 'ilike', words).orWhere('target', 'ilike', words))
    }
    return query
  }
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
