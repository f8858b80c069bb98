import { type Scope, withAlias } from '#kernel'
import { LicenceClock } from './books/licence-clock.ts'
import { EndingLicences } from './ending-licences.ts'
import { licenceRows } from './licence-rows.ts'
import type { PluginLicencesNeeds } from './needs.ts'
import { applyRevokedLicences, forgetRevokedLicences } from './revoke-licences.ts'
import { licenceRoutes } from './routes.ts'
import { LicenceService } from './service.ts'
import { LicenceWatch } from './watch/licence-watch.ts'
import { createTellAdministrators } from './watch/tell-administrators.ts'

/** How late a change of a licence is told; what runs asks the time itself. */
const lookMilliseconds = 500
const clockMilliseconds = 60 * 60 * 1000
/** What a source revoked is looked for when it was read, and so often in case that word was lost. */
const revocationsMilliseconds = 10 * 60 * 1000

/** Keeps licences, opens their routes, and watches their ends for as long as the scope lives. */
export async function setupPluginLicences(scope: Scope, needs: PluginLicencesNeeds): Promise<void> {
  const { db, log } = scope
  const { licences, audit } = needs
  const clock = new LicenceClock()
  await clock.keep(db)
  const service = new LicenceService({ db, clock, licences, tenants: needs.tenants })
  const watch = new LicenceWatch({
    db,
    clock,
    licences,
    tenants: needs.tenants,
    tell: createTellAdministrators({ ...needs, log }),
  })
  scope.use(licences.register(service))
  scope.use(needs.keepers.register(licenceRows(db)))
  const revoke = () => applyRevokedLicences({ db, audit, licences })
  scope.use(licences.onAuthority(revoke))
  scope.every(revocationsMilliseconds, revoke)
  scope.every(lookMilliseconds, () => watch.look())
  scope.every(clockMilliseconds, async () => {
    await clock.keep(db)
    await forgetRevokedLicences(db)
  })
  const ending = new EndingLicences({ db, licences, tenants: needs.tenants, now: () => clock.now() })
  scope.route(...withAlias('/admin/plugins', '/plugins', (prefix) => licenceRoutes(service, ending, prefix)))
}
