import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { listenOn } from './address.ts'
import type { AppParts } from './app-parts.ts'
import { answerClientError } from './client-error.ts'
import { drain, drainTimes, type DrainTimes } from './drain.ts'
import { createPipeline } from './pipeline/index.ts'
import { ServerState } from './server-state.ts'
import { createUpgrader } from './handshake/upgrade.ts'
import { endUnread, longestUnreadMs } from './unread.ts'

/** A server that answers; disposing it lets requests in progress end. */
export interface Listening extends AsyncDisposable {
  readonly url: string
}

/** Slow senders are cut before they tie up connections; uploads have their five minutes. Slow readers: `unread.ts`. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 20_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  // Answered by us with an error body instead.
  requireHostHeader: false,
}

/** Answers requests with the routes there are, on the address the environment names. */
export async function listen(
  parts: AppParts,
  times: DrainTimes = drainTimes,
  unreadMs: number = longestUnreadMs,
): Promise<Listening> {
  const answers = new WeakMap<Duplex, ServerResponse>()
  const state = new ServerState()

  const answer = createPipeline(parts, state, answers).callback()
  const upgrader = createUpgrader(parts, state)
  const options = { ...limits, shouldUpgradeCallback: (request: IncomingMessage) => upgrader.takes(request) }
  const server = createServer(options, (request, response) => void answer(request, response))
  server.on('upgrade', (request, socket, head) => void upgrader.upgrade(request, socket, head))
  // Refused with an error body; without a listener Node would answer by itself, with none.
  server.on('checkExpectation', (request, response) => void answer(request, response))
  server.on('connection', (socket) => state.watch(socket))
  endUnread(server, answers, unreadMs)
  server.on('clientError', (error, socket) => answerClientError(error, socket, answers.get(socket)))
  await listenOn(server, parts.env)
  return {
    url: urlOf(server.address() as AddressInfo),
    [Symbol.asyncDispose]: () => drain(server, state, times),
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : address
  return `http://${family === 'IPv6' && host !== 'localhost' ? `[${host}]` : host}:${port}`
}
