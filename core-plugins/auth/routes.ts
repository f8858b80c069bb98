import type { Route, TrustedProxies } from '#kernel'
import type { UserDirectory } from '../users/contract.ts'
import type { AccountService } from './account/account-service.ts'
import { passwordRoute, profileRoute } from './account/routes.ts'
import { platformArea, tenantArea, userArea } from './areas.ts'
import { LoginRoutes } from './login/routes.ts'
import type { LoginService } from './login/login-service.ts'
import { logoutRoute, refreshRoute, sessionRoutes, type SessionRouteParts } from './sessions/routes.ts'

/** What the endpoints of sign-in call. */
export interface AuthRouteParts extends SessionRouteParts {
  readonly login: LoginService
  readonly account: AccountService
  readonly users: UserDirectory
  readonly proxies: TrustedProxies
}

/** Every endpoint of `/auth`, `/admin/auth` and `/tenant/auth`. */
export function authRoutes(parts: AuthRouteParts): readonly Route[] {
  const { account, users } = parts
  const login = new LoginRoutes(parts.login, users, parts.proxies)
  const both = [userArea, platformArea].flatMap((area) => [
    login.form(area),
    login.json(area, `${area.path}/login/json`),
    passwordRoute(account, users, area, { method: 'put', path: `${area.path}/password` }),
    ...sessionRoutes(parts, area),
  ])
  const all = [userArea, platformArea, tenantArea].flatMap((area) => [
    refreshRoute(parts, area),
    logoutRoute(parts, area),
    profileRoute(account, area),
  ])
  return [
    ...both,
    ...all,
    login.json(tenantArea, `${tenantArea.path}/login`),
    passwordRoute(account, users, tenantArea, { method: 'post', path: `${tenantArea.path}/password/reset` }),
  ]
}
