import type { Scope } from '#kernel'
import { namesIn } from '../../access/contract.ts'
import { signInChanged } from '../../users/contract.ts'
import type { QuotaTable } from '../quotas/quota-table.ts'
import { KeyAuthenticator } from './authenticator.ts'
import { KeyRow } from './key-model.ts'
import { LastUses } from './last-uses.ts'
import { Peppers } from './peppers.ts'
import { keyRoutes } from './routes.ts'
import { KeyService, type KeyParts } from './service.ts'

const flushMs = 10_000

/** Builds API keys. */
export function setupKeys(
  scope: Scope,
  needed: Pick<KeyParts, 'audit' | 'quotas' | 'tenants' | 'users'> & { readonly table: QuotaTable },
): KeyAuthenticator {
  const { db, bus, secrets } = scope
  const peppers = new Peppers(db, secrets)
  const uses = new LastUses(db)
  const known = new KeyAuthenticator({ ...needed, db, bus, peppers, uses })
  scope.use(known.listen())
  scope.use(needed.audit.nameTargets('ai_api_key', namesIn(KeyRow, db)))
  scope.onChanges('ai_ledger.keys', (ids) => known.forgetKeys(ids))
  scope.onChanges(signInChanged, (users) => known.forgetOwners(users))
  scope.onChanges('tenants.found', (tenants) => known.forgetOwners(tenants))
  scope.every(flushMs, () => uses.flush())
  scope.route(...keyRoutes(new KeyService({ ...needed, db, peppers, known })))
  return known
}
