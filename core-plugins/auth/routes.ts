import type { Environment, Needed, Route } from '#kernel'
import { ownProfileRoutes } from './account/profile-routes.ts'
import { passwordRoute, profileRoute } from './account/routes.ts'
import { platformArea, tenantArea, userArea } from './areas.ts'
import { codeRoutes } from './codes/routes.ts'
import { impersonationRoute } from './impersonation/routes.ts'
import { devLoginRoute } from './login/dev-login-route.ts'
import { formLoginRoute, jsonLoginRoute } from './login/routes.ts'
import { mfaRoute } from './mfa/routes.ts'
import type { needs } from './needs.ts'
import type { Auth } from './service.ts'
import { registrationRoutes } from './registration/routes.ts'
import { resetRoutes } from './reset/routes.ts'
import { logoutRoute } from './sessions/logout-route.ts'
import { refreshRoute } from './sessions/refresh-route.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { userSessionRoutes } from './sessions/user-session-routes.ts'
import { setupRoute } from './setup/routes.ts'
import { ticketRoute } from './tickets/routes.ts'
import { keySetRoute } from './tokens/routes.ts'

/** What the endpoints of sign-in call. */
type AuthRouteParts = Auth & Needed<typeof needs> & { readonly env: Environment }

/** Every endpoint of `/auth`, `/admin/auth` and `/tenant/auth`, and what belongs to sessions elsewhere. */
export function authRoutes(parts: AuthRouteParts): readonly Route[] {
  const { account, users, sessions } = parts
  const both = [userArea, platformArea].flatMap((area) => [
    formLoginRoute(parts, area),
    jsonLoginRoute(parts, area, `${area.path}/login/json`),
    passwordRoute(parts, area, { method: 'put', path: `${area.path}/password` }),
    ...sessionRoutes(sessions, area),
  ])
  const all = [userArea, platformArea, tenantArea].flatMap((area) => [
    refreshRoute(parts, area),
    logoutRoute(parts, area),
    profileRoute(account, area),
    mfaRoute(parts, area),
  ])
  return [
    ...both,
    ...all,
    jsonLoginRoute(parts, tenantArea, `${tenantArea.path}/login`),
    passwordRoute(parts, tenantArea, { method: 'post', path: `${tenantArea.path}/password/reset` }),
    ...userSessionRoutes(parts.userSessions),
    impersonationRoute(parts.impersonation, users),
    setupRoute(parts.setup, sessions, parts.replies),
    keySetRoute(parts.keyRing),
    ...codeRoutes(parts),
    ...resetRoutes(parts),
    ...registrationRoutes(parts),
    ...ownProfileRoutes(users),
    ticketRoute(parts.tickets),
    ...(parts.env.devBootstrapLogin ? [devLoginRoute(parts)] : []),
  ]
}
