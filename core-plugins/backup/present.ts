import type { TextTeller } from '#kernel'
import type { BackupRun } from './models.ts'

/** Who reads, and who tells it in the own language. */
export interface Reader {
  readonly teller: TextTeller
  readonly locale: string
}

/** A run as the wire shows it. */
export function presentRun(run: BackupRun, { teller, locale }: Reader) {
  return {
    id: run.id,
    state: run.state,
    trigger: run.slot ? 'schedule' : 'request',
    started_by: run.startedBy,
    target: run.target,
    started_at: run.startedAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
    backup: run.backup,
    rows: count(run.rows),
    files: count(run.files),
    bytes: count(run.bytes),
    sent_files: count(run.sentFiles),
    error: teller.tellKept(run.error, run.errorSaid, locale),
  }
}

function count(value: string | null): number | null {
  return value === null ? null : Number(value)
}
