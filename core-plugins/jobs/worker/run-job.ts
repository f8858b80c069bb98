import type { Knex } from 'knex'
import { sayError, shortenSaid, type Logger, type Said } from '#kernel'
import { endJob, type Aftermath, type JobEnd } from '../queue/end-job.ts'
import { holdLease, JobLostError, tellProgress } from '../queue/leases.ts'
import type { TakenJob } from '../queue/take-jobs.ts'
import { texts } from '../texts/texts.ts'
import type { DoneBatch } from './done-batch.ts'
import { HostStopsError, JobCancelledError, type HeldJob } from './held-job.ts'
import type { CompleteKind, KindTable } from './kind-table.ts'

/** What a run stands on. */
export interface RunParts {
  readonly db: Knex
  readonly log: Logger
  readonly done: DoneBatch
  readonly news: JobNews
  readonly counts: JobCounts
  readonly kinds: Pick<KindTable, 'aftermathOf'>
}

/** Tells everybody of jobs. */
export interface JobNews {
  progressed(job: TakenJob, percent: number, text: string | null): Promise<void>
  died(job: TakenJob, error: Said): Promise<void>
}

/** How many runs of a kind ended, and how. */
export interface JobCounts {
  ended(kind: string, outcome: JobEnd['state']): void
}

const mostError = 1_000
const mostText = 500

/** Runs a job and writes how it ended; what cannot be written is run again once the lease is over. */
export async function runJob(parts: RunParts, kind: CompleteKind, held: HeldJob): Promise<void> {
  const { db, log, done, news, counts } = parts
  const { job } = held
  try {
    const end = await outcomeOf(parts, kind, held)
    if (end === undefined) return
    if (end.state === 'done' && job.key === null) await done.add(job, end.keepSeconds)
    else if (!(await endJob(db, job, end, aftermathOf(parts, job, end)))) throw new JobLostError(job.id)
    counts.ended(job.kind, end.state)
    if (end.state === 'dead') await news.died(job, end.error)
  } catch (error) {
    log.warn({ err: error, ...labelsOf(job) }, 'how a job ended could not be written')
  }
}

function aftermathOf({ kinds }: RunParts, job: TakenJob, end: JobEnd): Aftermath | undefined {
  if (end.state === 'dead') return kinds.aftermathOf(job, end.state, end.error)
  return end.state === 'cancelled' ? kinds.aftermathOf(job, end.state) : undefined
}

/** Undefined when the job is another host's. */
async function outcomeOf(parts: RunParts, kind: CompleteKind, held: HeldJob): Promise<JobEnd | undefined> {
  const { job, stop } = held
  if (job.attempt > kind.attempts) return dead(parts, kind, job, texts.keep('notice.job_hosts_died'))
  try {
    const again = await kind.run(presentRunning(parts, held) as never)
    if (again) return again.againIn > 0 ? { state: 'postponed', delay: again.againIn } : { state: 'waiting' }
    return { state: 'done', keepSeconds: kind.keepSeconds }
  } catch (error) {
    const reason: unknown = stop.signal.reason
    if (reason instanceof JobCancelledError) return { state: 'cancelled' }
    if (reason instanceof HostStopsError) return { state: 'waiting' }
    if (reason instanceof JobLostError || error instanceof JobLostError) return undefined
    return failure(parts, kind, job, error)
  }
}

function failure(parts: RunParts, kind: CompleteKind, job: TakenJob, error: unknown): JobEnd {
  const said = shortenSaid(sayError(error), mostError)
  if (kind.isFinal(error) || job.attempt >= kind.attempts) return dead(parts, kind, job, said, error)
  parts.log.warn({ err: error, ...labelsOf(job) }, 'a job failed and will be tried again')
  return { state: 'delayed', error: said, delay: kind.backoff(job.attempt, error) }
}

function dead({ log }: RunParts, kind: CompleteKind, job: TakenJob, said: Said, error?: unknown): JobEnd {
  log.error({ err: error, ...labelsOf(job), fault: said.words }, 'a job was given up')
  return { state: 'dead', error: said, keepSeconds: kind.keepDeadSeconds }
}

function presentRunning({ db, news }: RunParts, { job, stop }: HeldJob) {
  const { id, kind, tenantId, payload, attempt, scheduledAt, createdAt } = job
  return {
    ...{ id, kind, tenantId, payload, attempt, createdAt, signal: stop.signal },
    scheduledAt: scheduledAt ?? undefined,
    hold: (trx: Knex.Transaction) => holdLease(trx, job),
    async progress(percent: number, text?: string) {
      const whole = Math.round(Math.min(100, Math.max(0, percent)))
      const words = text?.slice(0, mostText) ?? null
      await tellProgress(db, job, whole, words)
      await news.progressed(job, whole, words)
    },
  }
}

function labelsOf({ id, kind, tenantId, attempt }: TakenJob) {
  return { job: id, kind, tenant_id: tenantId, attempt }
}
