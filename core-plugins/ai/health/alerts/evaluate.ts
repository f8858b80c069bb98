import type { Knex } from 'knex'
import { createSortableId } from '#kernel'
import type { JobKind, Jobs, RunningJob } from '../../../jobs/contract.ts'
import { standing } from './standing.ts'
import { AlertRow, AlertRuleRow } from './tables.ts'
import { queueTelling } from './tell.ts'
import { faultsOf, lookAt, ownCooldownMs, type LookParts, type Watched } from './watched.ts'

/** What alerts are raised with. */
interface EvaluateParts extends LookParts {
  readonly db: Knex
  readonly jobs: Pick<Jobs, 'enqueue'>
  /** Told once it is written that alerts began and ended. */
  readonly changed: (raised: readonly AlertRow[], resolved: readonly AlertRow[]) => Promise<void>
}

/** The kind of the jobs that look at rules. */
export const alertKind = 'ai.alerts'

/** Looks at every rule, one host at a time: raises alerts, ends them, and has those told who are to know. */
export function alertJob(parts: EvaluateParts): JobKind {
  return {
    ...{ kind: alertKind, concurrency: 1, attempts: 1, keepSeconds: 0, keepDeadSeconds: 3_600 },
    async run(job) {
      const { db, changed } = parts
      const rules = await AlertRuleRow.acrossTenants(db)
      const watched = [...(await lookAt(parts, rules, job.signal)), ...faultsOf(parts)]
      const { raised, resolved } = await db.transaction((trx) => settle(parts, watched, job, trx))
      await changed(raised, resolved)
    },
  }
}

async function settle(
  { jobs }: EvaluateParts,
  watched: readonly Watched[],
  job: RunningJob,
  trx: Knex.Transaction,
): Promise<{ readonly raised: readonly AlertRow[]; readonly resolved: readonly AlertRow[] }> {
  await job.hold(trx)
  const now = new Date()
  const open = new Map(
    (await AlertRow.acrossTenants(trx).whereNull('resolved_at')).map((row) => [`${row.tenantId} ${row.subject}`, row]),
  )
  const told = await lastTold(now, trx)
  const [raised, resolved]: [AlertRow[], AlertRow[]] = [[], []]
  for (const each of watched) {
    const { tenantId, rule, subject, name, metric, value, isKnown } = each
    const key = `${String(tenantId)} ${subject}`
    const alert = open.get(key)
    open.delete(key)
    if (!isKnown) continue
    const toldAt = rule ? rule.toldAt : (told.get(key) ?? null)
    const next = standing({ ...each, now, pendingSince: rule?.pendingSince ?? null, alert, toldAt })
    if (rule && !(await noteOn(rule, next.pendingSince, value, next.tells && next.fires ? now : rule.toldAt, trx)))
      continue
    if (next.fires) {
      const row = alert
        ? await AlertRow.of(tenantId, trx).patchAndFetchById(alert.id, { value: value ?? alert.value })
        : await AlertRow.of(tenantId, trx)
            .insert({
              ...{ id: createSortableId('alt'), ruleId: rule?.id ?? null, subject, name, metric },
              ...{ since: next.pendingSince ?? now, value: value ?? 0 },
            })
            .returning('*')
      if (!alert) raised.push(row)
      if (next.tells) {
        await AlertRow.of(tenantId, trx).findById(row.id).patch({ toldAt: now })
        await queueTelling(jobs, row, rule, 'raised', trx)
      }
    } else if (alert) resolved.push(await end(jobs, alert, rule, now, trx))
  }
  // What the platform itself watches over and is well again; the rules of the rest are gone with them.
  for (const alert of open.values()) resolved.push(await end(jobs, alert, undefined, now, trx))
  return { raised, resolved }
}

/** When somebody was last told of what there is no rule for, where that was lately. */
async function lastTold(now: Date, trx: Knex.Transaction): Promise<ReadonlyMap<string, Date>> {
  const rows = await AlertRow.acrossTenants(trx)
    .whereNull('rule_id')
    .where('told_at', '>', new Date(now.getTime() - ownCooldownMs))
    .orderBy('told_at')
  return new Map(rows.map(({ tenantId, subject, toldAt }) => [`${String(tenantId)} ${subject}`, toldAt ?? now]))
}

/** Answers false where the rule is gone. */
async function noteOn(
  { id, tenantId, pendingSince, value, toldAt }: AlertRuleRow,
  pending: Date | null,
  measured: number | null,
  told: Date | null,
  trx: Knex.Transaction,
): Promise<boolean> {
  const isSame = pendingSince?.getTime() === pending?.getTime() && value === measured && toldAt === told
  const row = AlertRuleRow.of(tenantId, trx).findById(id)
  if (isSame) return (await row.forUpdate()) !== undefined
  return (await row.patch({ pendingSince: pending, value: measured, toldAt: told })) > 0
}

async function end(
  jobs: Pick<Jobs, 'enqueue'>,
  alert: AlertRow,
  rule: AlertRuleRow | undefined,
  now: Date,
  trx: Knex.Transaction,
): Promise<AlertRow> {
  await AlertRow.of(alert.tenantId, trx).findById(alert.id).patch({ resolvedAt: now })
  // Of what nobody heard of nobody needs to hear that it is over.
  if (alert.toldAt) await queueTelling(jobs, alert, rule, 'resolved', trx)
  return alert
}
