import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { AppError, BadRequestError, OriginRefusedError, RouteNotFoundError, UnavailableError } from '../../errors.ts'
import { localeOf } from '../../locale/locale.ts'
import { traceStore } from '../../log.ts'
import type { AppParts } from '../app-parts.ts'
import { endWithError } from '../client-error.ts'
import { hideError } from '../error-body.ts'
import { clientIp } from '../ip.ts'
import { demandPlainRequest, readTarget } from '../request-line.ts'
import type { ServerState } from '../server-state.ts'
import { traceIdOf } from '../trace.ts'
import { trustedProxies } from '../trusted-proxies.ts'
import { isFromAllowedPage } from './same-site.ts'
import { Socket } from '../sockets/socket.ts'
import type { SocketContext, SocketRoute } from '../sockets/socket-route.ts'

/** Pieces of one message; a sender without an end is closed with 1008. */
const maxFragments = 64

/** Turns requests into WebSockets. */
interface Upgrader {
  /** Whether a request asks for one at a path that has one; any other is answered as if it had not asked. */
  takes(request: IncomingMessage): boolean
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
}

/** Makes the way of every WebSocket, from its request to its route. */
export function createUpgrader(parts: AppParts, state: ServerState): Upgrader {
  const servers = new WeakMap<SocketRoute, WebSocketServer>()

  function serverOf(route: SocketRoute): WebSocketServer {
    const known = servers.get(route)
    if (known) return known
    // Without compression, so that no small frame becomes a large one.
    const limits = { maxPayload: route.maxMessageBytes, maxFragments, perMessageDeflate: false, clientTracking: false }
    const server = new WebSocketServer({ noServer: true, ...limits })
    server.on('wsClientError', (cause, socket, request) => refuse(request, socket, new BadRequestError({ cause })))
    servers.set(route, server)
    return server
  }

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer, traceId: string): Promise<void> {
    const path = pathOf(request)
    const route = parts.sockets.find(path)
    if (!route) throw new RouteNotFoundError()
    demandPlainRequest(request, path)
    if (state.isDraining) throw new UnavailableError()
    if (!(await isFromAllowedPage(request, parts.services))) throw new OriginRefusedError()
    if (socket.destroyed) return
    const opening = route.open(contextOf(request, path, traceId, parts))
    socket.once('close', () => opening[Symbol.dispose]())
    state.keep(socket)
    serverOf(route).handleUpgrade(request, socket, head, (opened: WebSocket) => {
      // What goes wrong with a connection ends it: `close` is heard after it.
      opened.on('error', (error) => parts.log.debug({ err: error, trace_id: traceId }, 'a WebSocket failed'))
      opening.use(new Socket(opened))
    })
  }

  function refuse(request: IncomingMessage, socket: Duplex, thrown: unknown, traceId = traceIdOf(undefined)): void {
    const error = thrown instanceof AppError ? thrown : hideError(thrown)
    if (error.status >= 500 && error.status !== 503) parts.log.error({ err: error }, 'a WebSocket was not opened')
    if (!socket.writable) return void socket.destroy()
    endWithError(socket, error, parts.messages.tell(error, localeOf(request.headers['accept-language'])), traceId)
  }

  return {
    takes: (request) => isWebSocket(request) && parts.sockets.find(pathOf(request)) !== undefined,
    async upgrade(request, socket, head) {
      const traceId = traceIdOf(request.headers.traceparent)
      socket.on('error', destroyThis)
      try {
        await traceStore.run(traceId, () => open(request, socket, head, traceId))
      } catch (error) {
        refuse(request, socket, error, traceId)
      }
    },
  }
}

/** As a listener it keeps nothing of the request, which would stay as long as the socket. */
function destroyThis(this: Duplex): void {
  this.destroy()
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

function pathOf(request: IncomingMessage): string {
  return readTarget(request).split('?', 1)[0] as string
}

function contextOf(request: IncomingMessage, path: string, traceId: string, parts: AppParts): SocketContext {
  const { headers } = request
  return {
    path,
    traceId,
    query: new URLSearchParams(readTarget(request).slice(path.length + 1)),
    ip: clientIp(request, parts.services.find(trustedProxies)),
    locale: localeOf(headers['accept-language']),
    log: parts.log,
    header(name) {
      const value = headers[name.toLowerCase()]
      return Array.isArray(value) ? value.join(', ') : value
    },
  }
}
