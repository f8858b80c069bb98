import { BlockList, isIP } from 'node:net'
import { defineRoute, RouteNotFoundError, type Route, type RouteContext } from '#kernel'
import type { UserDirectory } from '../../users/contract.ts'
import { InvalidCredentialsError } from '../errors.ts'
import { requestOrigin } from '../request-origin.ts'
import { devLoginBody, signIn } from '../schemas.ts'
import type { FrontDoor } from '../sign-in/front-door.ts'
import { loginLimit } from './routes.ts'
import type { SignInFinisher } from '../sign-in/sign-in-finisher.ts'
import type { TokenReplies } from '../sign-in/token-replies.ts'

/** What a developer's way in calls. */
interface DevLoginParts {
  readonly users: UserDirectory
  readonly door: FrontDoor
  readonly finisher: SignInFinisher
  readonly replies: TokenReplies
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Lets a developer in without a password. Its plugin registers it only where the environment says so, which production
 * never does; callers from elsewhere than this machine find nothing here.
 */
export function devLoginRoute({ users, door, finisher, replies }: DevLoginParts): Route {
  return defineRoute({
    method: 'post',
    path: '/auth/dev-login',
    auth: 'none',
    tenant: 'optional',
    hidden: true,
    summary: 'Sign in without a password, in development and from this machine only',
    // Before the body is looked at: a fault of the body would tell that there is something here.
    admit({ ip }) {
      if (!isLoopback(ip)) throw new RouteNotFoundError()
    },
    limit: loginLimit,
    schema: { body: devLoginBody, response: signIn },
    errors: [4011, 4034, 4035, 4044],
    async handler(ctx) {
      requireThisMachine(ctx)
      const { account, tenant_code: code } = ctx.body
      const tenant = code || ctx.state.tenant ? await door.toTenant({ code, host: ctx.state.tenant }) : null
      const user = await users.findByIdentifier(tenant?.id ?? 0, account)
      if (!user) throw new InvalidCredentialsError()
      const origin = requestOrigin(ctx)
      finisher.requireAllowed(user, origin)
      return replies.signIn(ctx, await finisher.complete(user, tenant, origin, ['dev']))
    },
  })
}

/** The peer, whatever proxies say of it; and by a name of this machine, or a page elsewhere could make its own name mean it. */
function requireThisMachine(ctx: Pick<RouteContext, 'request' | 'header'>): void {
  const host = (ctx.header('host') ?? '').toLowerCase().replace(/:\d+$/, '')
  const isNamed = /(^|\.)localhost$/.test(host) || isLoopback(host.replace(/^\[(.*)\]$/, '$1'))
  if (!isNamed || !isLoopback(ctx.request.socket.remoteAddress ?? '')) throw new RouteNotFoundError()
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '')
  const family = isIP(plain)
  return family !== 0 && loopback.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}
