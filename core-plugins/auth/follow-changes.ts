import { tenantsDeleted, type Principal, type Scope } from '#kernel'
import { accessChanged, grantsChanged } from '../access/contract.ts'
import { configChanged, valuesChanged } from '../config/contract.ts'
import { signInChanged, usersChanged, usersDeleted } from '../users/contract.ts'
import { sessionRevoked } from './contract.ts'
import type { Auth } from './service.ts'
import { CacheKeys, sessionsEnded } from './sessions/cache-keys.ts'

const causes = { password: 'password_changed', disabled: 'user_disabled', deleted: 'user_deleted' } as const
// What of the configuration decides whether a caller may pass.
const passageKeys: ReadonlySet<string> = new Set([
  'maintenance_mode',
  'admin_ip_allowlist',
  'mfa_required',
  'password_expiry_days',
])

/** Ends sessions whose user may not sign in any more, and forgets what is known of callers when it changes. */
export function followChanges(scope: Scope, auth: Auth): void {
  const { sessions, principals, erasure } = auth
  const keys = new CacheKeys(scope.changes)
  const forget = (test: (principal: Principal) => boolean) => principals.forget(test)
  // What changes for an administrator of the platform changes for what is done in others' place too.
  const is = ({ tenantId, userId, actor }: Principal, changed: { tenantId: number; userId: number }) =>
    (tenantId === changed.tenantId && userId === changed.userId) ||
    (changed.tenantId === 0 && actor?.userId === changed.userId)

  scope.on(usersChanged, async ({ tenantId, userId, change }) => {
    await scope.cache.delete(keys.user(tenantId, userId))
    if (!(change in causes)) return
    const cause = causes[change as keyof typeof causes]
    await sessions.revokeUser(tenantId, userId, cause)
    if (tenantId === 0) await sessions.revokeActor(userId, cause)
  })
  scope.on(usersChanged, (changed) => forget((known) => is(known, changed)), 'every-host')
  scope.on(usersDeleted, ({ tenantId, userId }) => erasure.forgetUser(tenantId, userId))
  scope.on(tenantsDeleted, ({ tenantId }) => erasure.forgetTenant(tenantId))
  scope.on(tenantsDeleted, ({ tenantId }) => forget((known) => known.tenantId === tenantId), 'every-host')
  scope.on(sessionRevoked, ({ sessionId }) => forget((known) => known.sessionId === sessionId), 'every-host')
  scope.on(
    accessChanged,
    ({ tenantId }) =>
      forget(
        (known) => tenantId === 'all' || known.tenantId === tenantId || (tenantId === 0 && known.actor !== undefined),
      ),
    'every-host',
  )
  scope.on(
    configChanged,
    ({ keys, tenantId }) => {
      if (!keys.some((key) => passageKeys.has(key))) return
      // The platform's own value is also every tenant's default.
      forget((known) => tenantId === 0 || known.tenantId === tenantId)
    },
    'every-host',
  )
  followNotedChanges(scope, forget)
}

/** The same by what was noted with each change, on every host, whoever made it and whatever word was lost. */
function followNotedChanges(
  { onChanges }: Pick<Scope, 'onChanges'>,
  forget: (test: (principal: Principal) => boolean) => void,
): void {
  const forgetThose = (kind: string, subjectsOf: (known: Principal) => readonly string[]): void =>
    onChanges(kind, (subjects) => {
      const changed = new Set(subjects === 'all' ? [] : subjects)
      forget((known) => subjects === 'all' || subjectsOf(known).some((subject) => changed.has(subject)))
    })
  forgetThose(sessionsEnded, ({ sessionId }) => [sessionId])
  forgetThose(signInChanged, ({ tenantId, userId, actor }) => [
    `${tenantId}:${userId}`,
    ...(actor ? [`0:${actor.userId}`] : []),
  ])
  forgetThose(grantsChanged, ({ tenantId, actor }) => ['all', String(tenantId), ...(actor ? ['0'] : [])])
  // The platform's values decide on everybody, and are every tenant's defaults.
  forgetThose(valuesChanged, ({ tenantId }) => ['0', String(tenantId)])
}
