import type { Restriction } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import type { UserRecord } from '../../users/contract.ts'

const dayMilliseconds = 86_400_000

/** What of a user decides whether something must be done first. */
type RestrictedUser = Pick<UserRecord, 'tenantId' | 'passwordChangeRequired' | 'passwordChangedAt' | 'twoFactorEnabled'>

/** What a user has to do before anything else, by the rules of the platform or the tenant. */
export async function findRestriction(config: ConfigReader, user: RestrictedUser): Promise<Restriction | null> {
  const { tenantId, passwordChangedAt, twoFactorEnabled } = user
  const [expiryDays, isFactorRequired] = await Promise.all([
    config.get('password_expiry_days', tenantId, 0),
    config.get('mfa_required', tenantId, false),
  ])
  const isExpired =
    expiryDays > 0 &&
    passwordChangedAt !== null &&
    Date.now() - passwordChangedAt.getTime() >= expiryDays * dayMilliseconds
  if (user.passwordChangeRequired || isExpired) return 'password_change_required'
  return isFactorRequired && !twoFactorEnabled ? 'second_factor_required' : null
}
