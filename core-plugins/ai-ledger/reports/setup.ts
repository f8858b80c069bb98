import { createGuardedFetch, type Scope } from '#kernel'
import type { Audit } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import { aiReportReady } from '../contract.ts'
import { reportJob, type ReportParts } from './make-report.ts'
import { reportRoutes } from './routes.ts'
import { ReportService } from './service.ts'

/** What reports are built of. */
interface Needed extends Pick<ReportParts, 'files' | 'mail' | 'notifier' | 'users'> {
  readonly audit: Audit
  readonly config: ConfigReader
  readonly jobs: Jobs
}

/** Builds reports. */
export function setupReports(scope: Scope, { config, audit, jobs, files, mail, notifier, users }: Needed): void {
  const { db, env, secrets } = scope
  const http = scope.use(createGuardedFetch(env))
  const currency = (): Promise<string> => config.get('ai_currency', 0, 'USD')
  const ready: ReportParts['ready'] = (report) => scope.emit(aiReportReady, report)
  scope.use(
    jobs.register(
      reportJob({ db, files, jobs, http, mail, users, secrets, limiter: scope.limiter, notifier, currency, ready }),
    ),
  )
  scope.route(...reportRoutes(new ReportService({ db, audit, jobs, http, users, secrets })))
}
