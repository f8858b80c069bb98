import { defineRoute, readPage, type Route, type TextTeller } from '#kernel'
import type { BackupRuns } from './runs/backup-runs.ts'
import type { BackupJobs } from './runs/backup-jobs.ts'
import { presentRun } from './present.ts'
import { backupPage, backupQuery, backupRun } from './schemas.ts'

const sortable = ['-started_at', 'id']

/** How backups went, and one more. */
export function backupRoutes(runs: BackupRuns, jobs: BackupJobs, teller: TextTeller): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/admin/backups',
      summary: 'List the backups of the platform, newest first, with how they went',
      auth: 'platform',
      permission: 'platform_backup:list',
      schema: { query: backupQuery, response: backupPage },
      handler: ({ query, state: { locale } }) => runs.list(readPage(query, sortable), query, { teller, locale }),
    }),
    defineRoute({
      method: 'post',
      path: '/admin/backups',
      summary: 'Begin a backup to the place that the settings name; the list tells how it went',
      auth: 'platform',
      permission: 'platform_backup:run',
      schema: { response: backupRun },
      errors: [4094],
      handler: async ({ principal, state }) =>
        presentRun(await jobs.request({ principal, state }), { teller, locale: state.locale }),
    }),
  ]
}
