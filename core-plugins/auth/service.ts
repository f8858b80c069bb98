import type { Needed, Scope, TenantResolver } from '#kernel'
import { accessChanged } from '../access/contract.ts'
import { usersChanged } from '../users/contract.ts'
import { AccountService } from './account/account-service.ts'
import { sessionRevoked } from './contract.ts'
import { Lockout } from './login/lockout.ts'
import { LoginService } from './login/login-service.ts'
import type { needs } from './needs.ts'
import { Principals } from './sessions/principals.ts'
import { RefreshService } from './sessions/refresh.ts'
import { SessionGuard } from './sessions/session-guard.ts'
import { SessionService } from './sessions/session-service.ts'
import { SessionStore } from './sessions/session-store.ts'
import { SetupService } from './setup/setup-service.ts'
import { AccessTokens } from './tokens/access-tokens.ts'
import { RefreshTokens } from './tokens/refresh-tokens.ts'

/** The parts of sign-in, put together. */
export interface Auth {
  readonly principals: Principals
  readonly sessions: SessionService
  readonly refresh: RefreshService
  readonly login: LoginService
  readonly account: AccountService
  readonly setup: SetupService
  readonly tenants: TenantResolver
  sweep(): Promise<void>
}

/** Puts the parts of sign-in together. */
export function createAuth(scope: Scope, needed: Needed<typeof needs>): Auth {
  const { users, access, audit, config, configWriter, tenants } = needed
  const store = new SessionStore(scope.db)
  const accessTokens = new AccessTokens(scope.env.jwtKeys, scope.env.publicUrl)
  const refreshTokens = new RefreshTokens(scope.secrets.derive('auth.refresh_token'))
  const sessions = new SessionService({ scope, store, accessTokens, refreshTokens, access, config })
  const lockout = new Lockout(scope.db, config, scope.secrets.derive('auth.login_failures'))
  const principals = new Principals(accessTokens, new SessionGuard(scope.cache, store, users), access)
  return {
    principals,
    sessions,
    tenants,
    refresh: new RefreshService({ scope, store, sessions, refreshTokens, users, config }),
    login: new LoginService({ users, sessions, tenants, config, limiter: scope.limiter, lockout }),
    account: new AccountService({ users, access, config, sessions, lockout }),
    setup: new SetupService({ scope, users, access, audit, configWriter }),
    async sweep() {
      await store.sweep()
      await lockout.sweep()
    },
  }
}

/** Ends sessions whose user may not sign in any more, and forgets what is known of callers when it changes. */
export function followChanges(scope: Scope, { sessions, principals }: Auth): void {
  const causes = { password: 'password_changed', disabled: 'user_disabled', deleted: 'user_deleted' } as const
  scope.on(usersChanged, async ({ tenantId, userId, change }) => {
    if (change in causes) await sessions.revokeUser(tenantId, userId, causes[change as keyof typeof causes])
  })
  scope.on(
    usersChanged,
    ({ tenantId, userId }) => principals.forget((known) => known.tenantId === tenantId && known.userId === userId),
    'every-host',
  )
  scope.on(sessionRevoked, ({ sessionId }) => principals.forget((known) => known.sessionId === sessionId), 'every-host')
  scope.on(
    accessChanged,
    ({ tenantId }) => principals.forget((known) => tenantId === 'all' || known.tenantId === tenantId),
    'every-host',
  )
}
