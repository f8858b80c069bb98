import type { Knex } from 'knex'
import {
  createSortableId,
  EgressError,
  lockUntilCommit,
  presentPage,
  type FieldError,
  type GuardedFetch,
  type Page,
  type Principal,
  type SecretBox,
} from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import { ReportNotFoundError } from '../errors.ts'
import { faultOf, refuseFaults } from '../faults.ts'
import { readMoney } from '../quotas/show-amount.ts'
import type { Grouping } from '../usage/usage-filter.ts'
import { ReportRow, hintOf, presentReport, reportKind, type ReportType, type ReportWish } from './report.ts'

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
  readonly http: Pick<GuardedFetch, 'check'>
  readonly users: Pick<UserDirectory, 'isUsersAddress'>
  readonly secrets: Pick<SecretBox, 'seal'>
}

/** What a list of reports may be narrowed to. */
interface ReportFilter {
  readonly status?: ReportRow['status']
  readonly type?: ReportType
  readonly format?: ReportWish['format']
}

/** Of a tenant, or of the platform. */
const mostSchedules = 100

/** Reports of usage and costs, made by jobs. */
export class ReportService {
  readonly #parts: ReportServiceParts

  constructor(parts: ReportServiceParts) {
    this.#parts = parts
  }

  async list(asker: Principal, page: Page, { status, type, format }: ReportFilter) {
    const query = this.#rows(asker)
    if (status !== undefined) void query.where({ status })
    if (type !== undefined) void query.whereRaw(`wish ->> 'type' = ?`, [type])
    if (format !== undefined) void query.whereRaw(`wish ->> 'format' = ?`, [format])
    if (page.pattern !== undefined) void query.whereILike('name', page.pattern)
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    return presentPage(page, total, results.map(presentReport))
  }

  async get(asker: Principal, id: string) {
    return presentReport(await this.#find(asker, id))
  }

  /** Queues a report; one with a schedule is made now, and again each time that it comes. */
  async create(body: NewReport, { principal, state }: Writer) {
    const { db, audit, jobs, secrets } = this.#parts
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
    const { tenantId, userId } = principal
    const { webhook = null, email = [] } = body.deliver ?? {}
    refuseFaults([
      ...this.#faultsOf(body, tz),
      ...(webhook === null ? [] : await this.#webhookFaults(webhook)),
      ...(await this.#readerFaults(email, tenantId)),
    ])
    const wish = { type, from, to, tz, group_by: groupBy, format, email, invoice: body.invoice ?? null }
    const id = createSortableId('rpt')
    await db.transaction(async (trx) => {
      const own = {
        id,
        name,
        wish,
        cron,
        webhook: webhook === null ? null : secrets.seal(webhook),
        webhookHint: webhook === null ? null : hintOf(webhook),
        createdBy: userId,
        status: 'queued' as const,
        parentId: null,
        createdAt: new Date(),
      }
      if (cron !== null) await this.#demandSchedule(tenantId, trx)
      await ReportRow.of(tenantId, trx).insert(own)
      await jobs.enqueue(trx, reportKind, { id }, { tenant: tenantId })
      if (cron !== null) {
        await jobs.schedule(trx, { name: id, kind: reportKind, payload: { id }, tenant: tenantId, cron, timezone: tz })
      }
      const about = { tenantId, actor: principal, traceId: state.traceId, target: `ai_usage_report:${id}` }
      await audit.record(
        {
          ...about,
          action: 'ai_usage_report.created',
          after: { ...wish, webhook: own.webhookHint, name, schedule: cron },
        },
        trx,
      )
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

  /** Throws 422/4229. */
  async #demandSchedule(tenantId: number, trx: Knex.Transaction): Promise<void> {
    await lockUntilCommit(trx, `ai_ledger.report_schedules:${String(tenantId)}`)
    const known = await ReportRow.of(tenantId, trx).whereNotNull('cron').resultSize()
    const message = `is one more than ${String(mostSchedules)} reports that are made again`
    refuseFaults(known < mostSchedules ? [] : [faultOf('schedule', 'most', message)])
  }

  async #webhookFaults(webhook: string): Promise<readonly FieldError[]> {
    const field = 'deliver.webhook'
    const url = URL.parse(webhook)
    try {
      if (url) await this.#parts.http.check(url)
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      if (error.reason === 'address_forbidden') {
        return [faultOf(field, 'address_forbidden', 'is not on the public internet, and the operator did not allow it')]
      }
      // A name that cannot be looked up now is no fault: the connection is checked again.
      if (error.reason !== 'url_invalid') return []
      return [faultOf(field, 'format', 'is no http or https address')]
    }
    return url ? [] : [faultOf(field, 'format', 'is no http or https address')]
  }

  /** A tenant's administrators have the platform send mails to their own people alone. */
  async #readerFaults(addresses: readonly string[], tenantId: number): Promise<readonly FieldError[]> {
    if (tenantId === 0) return []
    const known = await Promise.all(addresses.map((to) => this.#parts.users.isUsersAddress(tenantId, to)))
    return known.flatMap((isKnown, at) =>
      isKnown ? [] : [faultOf(`deliver.email[${at}]`, 'own_user', 'is no address of an active user of the tenant')],
    )
  }

  #faultsOf({ from, to, type, schedule, invoice }: NewReport, timezone: string): readonly FieldError[] {
    return [
      ...(Date.parse(from) >= Date.parse(to) ? [faultOf('to', 'after', 'is not after from')] : []),
      ...(schedule != null && !this.#parts.jobs.everComes({ cron: schedule, timezone })
        ? [faultOf('schedule', 'cron', 'never comes')]
        : []),
      ...(schedule != null && !/^\s*\d{1,2}\s/.test(schedule)
        ? [faultOf('schedule', 'hourly', 'comes at one minute of an hour')]
        : []),
      ...(type === 'reconcile' && !invoice ? [faultOf('invoice', 'required', 'is needed to compare with')] : []),
      ...(invoice && readMoney(invoice.amount) === undefined
        ? [faultOf('invoice.amount', 'amount', 'is no amount of money')]
        : []),
    ]
  }
}
