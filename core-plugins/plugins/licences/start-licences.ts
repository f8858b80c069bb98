import { tenantsDeleted, type Scope, withAlias } from '#kernel'
import type { PluginsNeeds } from '../needs.ts'
import type { RunningState } from '../running/running-state.ts'
import { eraseTenantLicences } from './drop-licences.ts'
import type { LicenceClock } from '../licence-book/licence-clock.ts'
import { LicenceService, type LicenceParts } from './licence-service.ts'
import { LicenceWatch } from './licence-watch.ts'
import { applyRevokedLicences, forgetRevokedLicences } from './revoke-licences.ts'
import { licenceRoutes } from './routes.ts'
import { createTellAdministrators } from './tell-administrators.ts'

/** How late a change of a licence is told; what runs asks the time itself. */
const lookMilliseconds = 500
const clockMilliseconds = 60 * 60 * 1000
/** What a source revoked is looked for when it was read, and so often in case that word was lost. */
const revocationsMilliseconds = 10 * 60 * 1000

/** What licences stand on. */
interface StartLicencesParts extends LicenceParts, Pick<PluginsNeeds, 'access' | 'users' | 'notifier'> {
  readonly state: RunningState
  readonly clock: LicenceClock
}

/** Opens the routes of licences, and watches their ends for as long as the scope lives. */
export async function startLicences(scope: Scope, parts: StartLicencesParts): Promise<void> {
  const { db, log } = scope
  const { state, clock } = parts
  await clock.keep(db)
  const tell = createTellAdministrators({ ...parts, log })
  const watch = new LicenceWatch({ db, state, clock, tell, emit: (event, payload) => scope.emit(event, payload) })
  const licences = new LicenceService(parts)
  const revoke = async () => applyRevokedLicences(parts.parts, parts.parts.index.licences)
  scope.use(parts.parts.index.onChange(revoke))
  scope.every(revocationsMilliseconds, revoke)
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenantLicences(db, tenantId))
  scope.every(lookMilliseconds, () => watch.look())
  scope.every(clockMilliseconds, async () => {
    await clock.keep(db)
    await forgetRevokedLicences(db)
  })
  scope.route(...withAlias('/admin/plugins', '/plugins', (prefix) => licenceRoutes(licences, prefix)))
}
