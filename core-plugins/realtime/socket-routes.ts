import { UnavailableError, type SocketContext, type SocketRoute } from '#kernel'
import type { Brought } from './admission.ts'
import { namespaces, type Namespace } from './connections/keys.ts'
import { TokenInAddressError } from './errors.ts'
import type { Realtime } from './realtime.ts'
import { demandId } from './sockets/client-frame.ts'
import { SocketSession } from './sockets/socket-session.ts'

interface Entry extends Pick<SocketContext, 'ip' | 'locale'>, Brought {
  readonly lastId: string | undefined
}

const tokenNames = ['token', 'access_token', 'auth', 'authorization', 'jwt']

/** The three WebSockets. */
export function socketRoutes(realtime: Realtime): readonly SocketRoute[] {
  return namespaces.map((namespace) => ({
    path: `/ws/${namespace}`,
    maxMessageBytes: realtime.limits.frameBytes,
    open(ctx) {
      if (realtime.isStopping) throw new UnavailableError()
      const brought = broughtBy(ctx)
      const last = ctx.query.get('last_id')
      const lastId = last === null ? undefined : demandId(last)
      const { ip, locale } = ctx
      return openingOf(realtime, namespace, { ip, locale, ...brought, lastId })
    },
  }))
}

/** What stays as long as the socket: nothing of the request but this. */
function openingOf(realtime: Realtime, namespace: Namespace, entry: Entry): ReturnType<SocketRoute['open']> {
  const place = realtime.addresses.take(entry.ip)
  return {
    use(socket) {
      const session = new SocketSession(socket, realtime, namespace, entry, place)
      realtime.sessions.add(session)
      session.begin(entry, entry.lastId)
    },
    [Symbol.dispose]: () => place[Symbol.dispose](),
  }
}

/** An Authorization header or a ticket; an access token in the address is refused, since addresses end in logs. */
function broughtBy(ctx: SocketContext): Brought {
  const { query } = ctx
  if (tokenNames.some((name) => query.has(name))) throw new TokenInAddressError()
  const token = /^bearer +(\S+)$/i.exec(ctx.header('authorization') ?? '')?.[1]
  return { token, ticket: token === undefined ? (query.get('ticket') ?? undefined) : undefined }
}
