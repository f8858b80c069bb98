import { type Needed, type Scope, kernelStarted } from '#kernel'
import type { needs } from './needs.ts'

const day = 24 * 60 * 60_000
const hour = 60 * 60_000

/** Deletes old lines of the audit log, at the start and each hour. */
export function setupRetention(scope: Scope, { config, audit }: Needed<typeof needs>): void {
  const sweep = async (): Promise<void> => {
    const days = await config.get<number>('audit_retention_days', 0, 180)
    const deleted = await audit.deleteBefore(new Date(Date.now() - days * day))
    if (deleted > 0) scope.log.info({ deleted }, 'old lines of the audit log are deleted')
  }
  scope.on(kernelStarted, sweep)
  scope.every(hour, sweep)
}
