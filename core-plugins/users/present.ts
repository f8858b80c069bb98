import type { RoleName } from '../access/contract.ts'
import type { PresentedUser, UserRecord } from './contract.ts'

/** A user with the roles and nodes held, as the wire shows it. */
export function presentUser(
  user: UserRecord,
  roles: readonly RoleName[] = [],
  orgIds: readonly number[] = [],
): PresentedUser {
  return {
    id: user.id,
    tenant_id: user.tenantId,
    account: user.account ?? user.email ?? user.phone ?? '',
    email: user.email,
    phone: user.phone,
    nickname: user.nickname,
    avatar_url: user.avatarUrl,
    status: user.status,
    roles,
    org_ids: orgIds,
    locale: user.locale,
    timezone: user.timezone,
    two_factor_enabled: user.twoFactorEnabled,
    last_login_at: user.lastLoginAt?.toISOString() ?? null,
    created_at: user.createdAt.toISOString(),
  }
}
