import type { Needed, Scope } from '#kernel'
import { AccountService } from './account/account-service.ts'
import { createCodeServices } from './create-code-services.ts'
import { Erasure } from './erasure.ts'
import { ImpersonationService } from './impersonation/impersonation-service.ts'
import { DeviceWatch } from './sign-in/device-watch.ts'
import { FrontDoor } from './sign-in/front-door.ts'
import { Lockout } from './sign-in/lockout.ts'
import { LoginService } from './login/login-service.ts'
import { SignInFinisher } from './sign-in/sign-in-finisher.ts'
import { TokenReplies } from './sign-in/token-replies.ts'
import { SecondFactorStep } from './sign-in/second-factor-step.ts'
import type { needs } from './needs.ts'
import { Principals } from './sessions/principals.ts'
import { PlatformReset } from './reset/platform-reset.ts'
import { RefreshService } from './sessions/refresh.ts'
import { SessionGuard } from './sessions/session-guard.ts'
import { SessionService } from './sessions/session-service.ts'
import { SessionStore } from './sessions/session-store.ts'
import { UserSessionService } from './sessions/user-session-service.ts'
import { SetupService } from './setup/setup-service.ts'
import { SessionTickets } from './tickets/ws-tickets.ts'
import { AccessTokens } from './tokens/access-tokens.ts'
import { KeyRing } from './tokens/key-ring.ts'
import { RefreshCookie } from './tokens/refresh-cookie.ts'
import { RefreshTokens } from './tokens/refresh-tokens.ts'

/** The parts of sign-in, put together. */
export type Auth = ReturnType<typeof createAuth>

/** Puts the parts of sign-in together. */
export function createAuth(scope: Scope, needed: Needed<typeof needs>) {
  const { users, access, audit, captcha, config, configWriter, mail, preferences, secondFactors, tenants } = needed
  const { db, cache, changes, env, limiter, secrets } = scope
  const store = new SessionStore(db)
  const keyRing = new KeyRing(env.jwtKeys, env.jwtAlgorithm)
  const tokens = new AccessTokens(keyRing, env.publicUrl)
  const refreshTokens = new RefreshTokens(secrets.derive('auth.refresh_token'))
  const sessions = new SessionService({ scope, store, accessTokens: tokens, refreshTokens, access, config })
  const lockout = new Lockout(db, config, secrets.derive('auth.login_failures'))
  const door = new FrontDoor(tenants, config)
  const devices = new DeviceWatch(db, mail, scope.log)
  const secondFactor = new SecondFactorStep({ cache, limiter, users, secondFactors, lockout })
  const finisher = new SignInFinisher({ users, sessions, secondFactor, devices })
  const guard = new SessionGuard({ cache, changes, store, users, access, config })
  const principals = new Principals({ tokens, guard, access, config })
  const cookie = new RefreshCookie(env.publicUrl)
  const proofs = createCodeServices({ scope, users, tenants, mail, captcha, lockout, door, finisher })
  const { notice } = proofs
  return {
    ...{ keyRing, sessions, lockout, door, secondFactor, finisher, cookie, tenants },
    ...proofs,
    principals,
    erasure: new Erasure(db),
    tickets: new SessionTickets(cache, secrets, principals),
    adminReset: new PlatformReset(users, proofs.resetRequests),
    replies: new TokenReplies(users, cookie),
    refresh: new RefreshService({ scope, store, sessions, refreshTokens, users, config, door, mail }),
    login: new LoginService({ users, door, finisher, limiter, lockout, captcha }),
    account: new AccountService({ users, access, preferences, config, sessions, store, lockout, notice }),
    setup: new SetupService({ scope, users, access, audit, configWriter }),
    userSessions: new UserSessionService({ db, sessions, users, access, audit }),
    impersonation: new ImpersonationService({ db, tenants, users, access, audit, sessions }),
    async sweep() {
      await store.sweep()
      await lockout.sweep()
      await devices.sweep()
      await proofs.codes.sweep()
      await proofs.links.sweep()
    },
  }
}
