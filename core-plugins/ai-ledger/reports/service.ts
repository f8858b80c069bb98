import type { Knex } from 'knex'
import { createSortableId, presentPage, type Page, type Principal } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import { ReportNotFoundError } from '../errors.ts'
import { faultOf, refuseFaults } from '../faults.ts'
import { readMoney } from '../quotas/show-amount.ts'
import type { Grouping } from '../usage/usage-filter.ts'
import { ReportRow, presentReport, reportKind, type ReportType, type ReportWish } from './report.ts'

/** A report that is asked for. */
interface NewReport {
  readonly name: string
  readonly type: ReportType
  readonly from: string
  readonly to: string
  readonly tz?: string
  readonly group_by?: readonly Grouping[]
  readonly format?: ReportWish['format']
  readonly schedule?: string | null
  readonly deliver?: {
    readonly attachment?: true
    readonly webhook?: string | null
    readonly email?: readonly string[]
  }
  readonly invoice?: NonNullable<ReportWish['invoice']>
}

/** What reports stand on. */
interface ReportServiceParts {
  readonly db: Knex
  readonly audit: Audit
  readonly jobs: Pick<Jobs, 'enqueue' | 'schedule' | 'unschedule' | 'everComes'>
}

/** Reports of usage and costs, made by jobs. */
export class ReportService {
  readonly #parts: ReportServiceParts

  constructor(parts: ReportServiceParts) {
    this.#parts = parts
  }

  async list(asker: Principal, page: Page, status?: ReportRow['status']) {
    const query = this.#rows(asker)
    if (status !== undefined) void query.where({ status })
    if (page.pattern !== undefined) void query.whereILike('name', page.pattern)
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    return presentPage(page, total, results.map(presentReport))
  }

  async get(asker: Principal, id: string) {
    return presentReport(await this.#find(asker, id))
  }

  /** Queues a report; one with a schedule is made now, and again each time that it comes. */
  async create(body: NewReport, { principal, state }: Writer) {
    const { db, audit, jobs } = this.#parts
    const {
      name,
      type,
      from,
      to,
      tz = 'UTC',
      group_by: groupBy = ['model'],
      format = 'csv',
      schedule: cron = null,
    } = body
    refuseFaults(this.#faultsOf(body, tz))
    const { tenantId, userId } = principal
    const { webhook = null, email = [] } = body.deliver ?? {}
    const wish = { type, from, to, tz, group_by: groupBy, format, webhook, email, invoice: body.invoice ?? null }
    const id = createSortableId('rpt')
    await db.transaction(async (trx) => {
      const own = {
        id,
        name,
        wish,
        cron,
        createdBy: userId,
        status: 'queued' as const,
        parentId: null,
        createdAt: new Date(),
      }
      await ReportRow.of(tenantId, trx).insert(own)
      await jobs.enqueue(trx, reportKind, { id }, { tenant: tenantId })
      if (cron !== null) {
        await jobs.schedule(trx, { name: id, kind: reportKind, payload: { id }, tenant: tenantId, cron, timezone: tz })
      }
      const about = { tenantId, actor: principal, traceId: state.traceId, target: `ai_usage_report:${id}` }
      await audit.record({ ...about, action: 'ai_usage_report.created', after: { ...wish, name, schedule: cron } }, trx)
    })
    return { report_id: id, status: 'queued' as const }
  }

  /** Ends its schedule and forgets the report; files that were made stay with whoever asked for them. */
  async delete(id: string, { principal, state }: Writer): Promise<void> {
    const { db, audit, jobs } = this.#parts
    const row = await this.#find(principal, id)
    await db.transaction(async (trx) => {
      await jobs.unschedule(trx, id, row.tenantId)
      await ReportRow.of(row.tenantId, trx).deleteById(id)
      const about = {
        tenantId: principal.tenantId,
        actor: principal,
        traceId: state.traceId,
        target: `ai_usage_report:${id}`,
      }
      await audit.record({ ...about, action: 'ai_usage_report.deleted', before: { name: row.name } }, trx)
    })
  }

  #rows({ scope, tenantId }: Principal) {
    const { db } = this.#parts
    return scope === 'platform' ? ReportRow.acrossTenants(db) : ReportRow.of(tenantId, db)
  }

  async #find(asker: Principal, id: string): Promise<ReportRow> {
    const row = await this.#rows(asker).findById(id)
    if (!row) throw new ReportNotFoundError()
    return row
  }

  #faultsOf({ from, to, type, schedule, deliver, invoice }: NewReport, timezone: string) {
    const url = deliver?.webhook == null ? undefined : URL.parse(deliver.webhook)
    return [
      ...(Date.parse(from) >= Date.parse(to) ? [faultOf('to', 'after', 'is not after from')] : []),
      ...(schedule != null && !this.#parts.jobs.everComes({ cron: schedule, timezone })
        ? [faultOf('schedule', 'cron', 'never comes')]
        : []),
      ...(url === undefined || url?.protocol === 'https:' || url?.protocol === 'http:'
        ? []
        : [faultOf('deliver/webhook', 'url', 'is no address of the web')]),
      ...(type === 'reconcile' && !invoice ? [faultOf('invoice', 'required', 'is needed to compare with')] : []),
      ...(invoice && readMoney(invoice.amount) === undefined
        ? [faultOf('invoice/amount', 'amount', 'is no amount of money')]
        : []),
    ]
  }
}
