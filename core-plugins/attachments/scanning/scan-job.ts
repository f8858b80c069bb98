import { NotFoundError, type GuardedConnect } from '#kernel'
import type { Again, JobKind, RunningJob } from '../../jobs/contract.ts'
import type { Notifier } from '../../notifications/contract.ts'
import { openContent } from '../access/open-content.ts'
import { AttachmentNotFoundError } from '../errors.ts'
import { Attachment } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import { texts } from '../texts/texts.ts'
import { scanByClamd, ScannerAwayError, type Verdict } from './clamd.ts'
import { scanKind } from './enqueue-scan.ts'
import { noteInfected } from './infected-hashes.ts'
import { readScanSettings, type ScanSettings } from './settings.ts'

/** What having files looked at stands on. */
interface ScanParts extends Pick<AttachmentParts, 'config' | 'db' | 'jobs' | 'known' | 'log' | 'objects'> {
  readonly connect: GuardedConnect
  readonly notifier: Notifier
  /** Tells that it is known what became of a file. */
  readonly settled: (attachment: Attachment) => Promise<void>
}

interface Named {
  readonly id: string
}

/** The kind of jobs that tell owners what became of a file. */
const tellKind = 'attachments.tell_quarantined'
/** A scanner that is away is asked again so often. */
const awayMs = 30_000
/** More than a week, with an hour between two of them. */
const attempts = 200
/** A scanner has few hands. */
const concurrency = 4

/** Looks at one file; one that is infected is kept from everybody, under every record that has its bytes, before anybody is told. */
export function createScanJob(parts: ScanParts): JobKind<Named> {
  return { kind: scanKind, attempts, concurrency, keepSeconds: 0, run: (job) => run(parts, job) }
}

/** Tells the owner of a file that it was quarantined; a job of its own, so that a host that dies in between forgets nobody. */
export function createTellJob({ db, notifier }: ScanParts): JobKind<Named & { readonly signature: string | null }> {
  return {
    kind: tellKind,
    attempts,
    keepSeconds: 0,
    async run({ tenantId, payload: { id, signature } }) {
      const row = await Attachment.of(tenantId, db).findOne({ id, status: 'quarantined' })
      if (!row || row.ownerId === 0) return
      const { ownerId: userId, filename } = row
      const title = texts.keep('notice.quarantined_title')
      const body =
        signature === null
          ? texts.keep('notice.quarantined_too_large', { filename })
          : texts.keep('notice.quarantined_infected', { filename, signature })
      try {
        await notifier.send({ tenantId, userId, title, body, level: 'warning', source: 'attachments' })
      } catch (error) {
        // Whom it was for is gone.
        if (!(error instanceof NotFoundError)) throw error
      }
    },
  }
}

async function run(parts: ScanParts, job: RunningJob<Named>): Promise<void | Again> {
  const { config, db, log } = parts
  const row = await Attachment.of(job.tenantId, db).findOne({ id: job.payload.id, status: 'pending' })
  if (!row) return
  const settings = await readScanSettings(config)
  try {
    await settle(parts, row, await judge(parts, row, settings, job.signal))
  } catch (error) {
    // Deleted meanwhile.
    if (error instanceof AttachmentNotFoundError) return
    if (!(error instanceof ScannerAwayError) || job.signal.aborted) throw error
    const isTaken = settings.patienceMs !== undefined && row.createdAt.getTime() + settings.patienceMs < Date.now()
    log.warn({ err: error, attachment_id: row.id, taken: isTaken }, 'the virus scanner is away')
    if (!isTaken) return { againIn: awayMs }
    await settle(parts, row, { kind: 'clean' })
  }
}

async function judge(
  { connect, objects }: ScanParts,
  row: Attachment,
  { scanner, milliseconds, mostBytes, takesTooLarge }: ScanSettings,
  signal: AbortSignal,
): Promise<Verdict> {
  const tooLarge: Verdict = { kind: takesTooLarge ? 'clean' : 'too_large' }
  if (scanner === undefined) return { kind: 'clean' }
  if (Number(row.size) > mostBytes) return tooLarge
  const content = await openContent(objects, row)
  try {
    const verdict = await scanByClamd(connect, { ...scanner, milliseconds }, content as AsyncIterable<Buffer>, signal)
    return verdict.kind === 'too_large' ? tooLarge : verdict
  } finally {
    content.destroy()
  }
}

async function settle({ db, jobs, known, settled }: ScanParts, row: Attachment, verdict: Verdict): Promise<void> {
  const { id, tenantId, hash } = row
  if (verdict.kind === 'clean') {
    const ready = Attachment.of(tenantId, db).where({ id, status: 'pending' }).patch({ status: 'ready' })
    const rows = await ready.returning('*')
    known.forget([id])
    for (const one of rows) await settled(one)
    return
  }
  const isInfected = verdict.kind === 'infected'
  const rows = await db.transaction(async (trx) => {
    if (isInfected) await noteInfected(trx, hash, verdict.signature)
    const same = Attachment.acrossTenants(trx).whereNot('status', 'quarantined')
    void (isInfected ? same.where({ hash }) : same.where({ id }))
    const held = await same.patch({ status: 'quarantined' }).returning('*')
    const signature = isInfected ? verdict.signature : null
    for (const { id: each, tenantId: tenant } of held)
      await jobs.enqueue(trx, tellKind, { id: each, signature }, { tenant, dedupe: each })
    return held
  })
  known.forget(rows.map((one) => one.id))
  for (const one of rows) await settled(one)
}
