import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { listenOn } from './address.ts'
import type { AppParts } from './app-parts.ts'
import { answerClientError } from './client-error.ts'
import { drain, drainTimes, type DrainTimes } from './drain.ts'
import { createPipeline } from './pipeline/index.ts'
import { createSayUnchanged } from './say-unchanged.ts'
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

  const answer = createAnswer(parts, state, answers)
  const upgrader = createUpgrader(parts, state)
  const options = { ...limits, shouldUpgradeCallback: (request: IncomingMessage) => upgrader.takes(request) }
  const server = createServer(options, answer)
  server.on('upgrade', (request, socket, head) => void upgrader.upgrade(request, socket, head))
  // Refused with an error body; without a listener Node would answer by itself, with none.
  server.on('checkExpectation', answer)
  server.on('connection', (socket) => state.watch(socket))
  endUnread(server, answers, unreadMs)
  server.on('clientError', (error, socket) => answerClientError(error, socket, answers.get(socket)))
  await listenOn(server, parts.env)
  return {
    url: urlOf(server.address() as AddressInfo),
    [Symbol.asyncDispose]: () => drain(server, state, times),
  }
}

/** Answers requests, each by what stands since it was said last or by the whole pipeline. */
function createAnswer(
  parts: AppParts,
  state: ServerState,
  answers: WeakMap<Duplex, ServerResponse>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const runPipeline = createPipeline(parts, state).callback()
  const sayUnchanged = createSayUnchanged(parts, state)
  return (request, response) => {
    answers.set(request.socket, response)
    state.unused.delete(request.socket)
    const said = sayUnchanged(request, response)
    if (said) void said.then((isSaid) => void (isSaid || runPipeline(request, response)))
    else void runPipeline(request, response)
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : address
  return `http://${family === 'IPv6' && host !== 'localhost' ? `[${host}]` : host}:${port}`
}
