import type { TextTeller } from '#kernel'
import type { Job } from './models.ts'

/** Who reads, and who tells it in the own language. */
interface Reader {
  readonly teller: TextTeller
  readonly locale: string
}

/** A job as administrators see it; what it is to work on stays with whoever works on it. */
export function presentJob(job: Job, { teller, locale }: Reader) {
  return {
    id: Number(job.id),
    kind: job.kind,
    tenant_id: job.tenantId,
    state: job.state,
    priority: job.priority,
    key: job.key,
    attempts: job.attempts,
    is_cancelled: job.isCancelled,
    percent: job.percent,
    progress: job.progress,
    error: teller.tellKept(job.error, job.errorSaid, locale),
    host: job.host,
    run_at: job.runAt.toISOString(),
    scheduled_at: job.scheduledAt?.toISOString() ?? null,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
  }
}
