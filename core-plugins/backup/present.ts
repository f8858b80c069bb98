import type { BackupRun } from './models.ts'

/** A run as the wire shows it. */
export function presentRun(run: BackupRun) {
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
    error: run.error,
  }
}

function count(value: string | null): number | null {
  return value === null ? null : Number(value)
}
