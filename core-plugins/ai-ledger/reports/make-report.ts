import { Readable } from 'node:stream'
import type { Knex } from 'knex'
import {
  createSortableId,
  UnavailableError,
  type GuardedFetch,
  type RateLimiter,
  type SecretBox,
  type ServiceRef,
} from '#kernel'
import type { attachmentFiles } from '../../attachments/contract.ts'
import type { JobKind, Jobs, RunningJob } from '../../jobs/contract.ts'
import type { MessageSender } from '../../mail/contract.ts'
import type { Notifier } from '../../notifications/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import { texts } from '../texts/texts.ts'
import { csvCell, exportRows } from '../usage/export.ts'
import { allRows } from '../usage/ledger-rows.ts'
import { ReportRow, reportKind } from './report.ts'
import { readTable } from './tables.ts'

/** Mails of a tenant's reports in an hour. */
const mailsAnHour = 60
const hourSeconds = 3_600
/** Kept so long without a report that names it: its host died before it could be written down. */
const orphanSeconds = 3600

type Files = typeof attachmentFiles extends ServiceRef<infer T> ? T : never

/** What making reports stands on. */
export interface ReportParts {
  readonly db: Knex
  readonly files: Pick<Files, 'create' | 'keep'>
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly http: Pick<GuardedFetch, 'fetch'>
  readonly mail: Pick<MessageSender, 'send'>
  readonly users: Pick<UserDirectory, 'isUsersAddress'>
  readonly secrets: Pick<SecretBox, 'open'>
  readonly limiter: RateLimiter
  readonly notifier: Pick<Notifier, 'send'>
  readonly currency: () => Promise<string>
  readonly ready: (report: {
    readonly tenantId: number
    readonly reportId: string
    readonly attachmentId: string
  }) => Promise<unknown>
}

interface ReportJob {
  readonly id: string
}

/** Makes a report of the ledger, and of a scheduled one the next of its kind. */
export function reportJob(parts: ReportParts): JobKind<ReportJob> {
  return {
    kind: reportKind,
    concurrency: 2,
    async run(job) {
      const row = await ReportRow.acrossTenants(parts.db).findById(job.payload.id)
      if (!row) return
      if (job.scheduledAt) return repeat(parts, row, job.scheduledAt, job)
      if (row.status === 'queued') await make(parts, row, job)
    },
    async onLost({ payload: { id } }, trx) {
      await ReportRow.acrossTenants(trx)
        .findById(id)
        .where({ status: 'queued' })
        .patch({ status: 'failed', finishedAt: new Date() })
    },
  }
}

/** The same length of time, up to when the schedule came. */
async function repeat({ db, jobs }: ReportParts, row: ReportRow, to: Date, job: RunningJob<ReportJob>): Promise<void> {
  const length = Date.parse(row.wish.to) - Date.parse(row.wish.from)
  const wish = { ...row.wish, from: new Date(to.getTime() - length).toISOString(), to: to.toISOString() }
  const { tenantId, name, createdBy, webhook, webhookHint } = row
  await db.transaction(async (trx) => {
    await job.hold(trx)
    const id = createSortableId('rpt')
    const own = {
      id,
      name,
      wish,
      webhook,
      webhookHint,
      createdBy,
      status: 'queued' as const,
      cron: null,
      parentId: row.id,
      createdAt: new Date(),
    }
    await ReportRow.of(tenantId, trx).insert(own)
    await jobs.enqueue(trx, reportKind, { id }, { tenant: tenantId })
  })
}

async function make(parts: ReportParts, row: ReportRow, job: RunningJob<ReportJob>): Promise<void> {
  const { db, files } = parts
  const { id, tenantId, name, wish, createdBy } = row
  const file = await files.create({
    ...{ tenantId, ownerId: createdBy, usage: 'general', from: 'platform', ttlSeconds: orphanSeconds },
    filename: `${name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 80)}.${wish.format === 'json' ? 'json' : 'csv'}`,
    content: await contentOf(parts, row),
  })
  const readers = await readersOf(parts, row)
  await db.transaction(async (trx) => {
    await job.hold(trx)
    if (!(await files.keep({ tenantId, id: file.id }, trx))) throw new UnavailableError()
    await ReportRow.of(tenantId, trx)
      .findById(id)
      .patch({ status: 'done', attachmentId: file.id, finishedAt: new Date() })
    const message = { tenantId, channel: 'email', template: 'ai_report', values: { report: name } } as const
    for (const to of readers) await parts.mail.send({ ...message, to }, trx)
  })
  await parts.ready({ tenantId, reportId: id, attachmentId: file.id })
  await tell(parts, row, file.id)
}

/** Whom a mail is sent to: of a tenant who is still its user; one over the limit is left out, and finds the report in the list. */
async function readersOf({ limiter, users }: ReportParts, { tenantId, wish }: ReportRow): Promise<readonly string[]> {
  const readers: string[] = []
  for (const to of wish.email ?? []) {
    const isIn =
      tenantId === 0 ||
      ((await users.isUsersAddress(tenantId, to)) &&
        (await limiter.hit(`ai_ledger.mail:${String(tenantId)}`, mailsAnHour, hourSeconds)).allowed)
    if (isIn) readers.push(to)
  }
  return readers
}

async function contentOf({ db, currency }: ReportParts, { tenantId, wish }: ReportRow): Promise<AsyncIterable<Buffer>> {
  const filter = tenantId === 0 ? {} : { tenant_id: tenantId }
  if (wish.format === 'focus') {
    const range = { from: new Date(wish.from), to: new Date(wish.to), filter, isEmpty: false }
    return exportRows(allRows(db, range, {}), { format: 'focus', currency: await currency(), bom: false, gzip: false })
      .content
  }
  const rows = await readTable(db, wish, filter)
  if (wish.format === 'json') {
    const { type, from, to, tz } = wish
    return Readable.from([
      Buffer.from(JSON.stringify({ type, from, to, tz, currency: await currency(), rows }, null, 1)),
    ])
  }
  const names = Object.keys(rows[0] ?? { empty: '' })
  const lines = [names, ...rows.map((row) => names.map((column) => row[column]))]
  return Readable.from(lines.map((line) => Buffer.from(`${line.map(csvCell).join(',')}\r\n`)))
}

/** Whoever asked is told, and a web hook once; the report is there whether or not they hear of it. */
async function tell(
  { http, notifier, secrets }: ReportParts,
  { id, tenantId, name, createdBy, wish, webhook: sealed }: ReportRow,
  attachment: string,
): Promise<void> {
  const title = texts.keep('notice.report_ready', { name })
  await notifier
    .send({ tenantId, userId: createdBy, title, level: 'success', source: 'ai_ledger' })
    .catch(() => undefined)
  const webhook = sealed === null ? wish.webhook : secrets.open(sealed)
  if (webhook == null) return
  const body = JSON.stringify({ report_id: id, name, status: 'done', attachment_id: attachment })
  await http
    .fetch({
      url: new URL(webhook),
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      timeoutMs: 10_000,
    })
    .catch(() => undefined)
}
