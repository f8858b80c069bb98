import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as read, setTimeout as wait } from 'node:timers/promises'
import type { ServerState } from './server-state.ts'

/** How long a server may take to stop, in milliseconds. */
export interface DrainTimes {
  /** Idle connections stay open so long, for a request that is on its way already; a busy machine is given longer. */
  readonly lingerMs: number
  /** Answers without an end are then asked to end, and WebSockets are cut. */
  readonly stopMs: number
  /** What is left then is cut. */
  readonly cutMs: number
}

/** Ten seconds in all. */
export const drainTimes: DrainTimes = { lingerMs: 100, stopMs: 8000, cutMs: 10_000 }

const pollMs = 10

/** Stops a server: accepts nobody, lets requests in progress end, closes connections as they become idle. */
export async function drain(server: Server, state: ServerState, times: DrainTimes): Promise<void> {
  let isClosed = false
  state.isDraining = true
  // Not http.Server's own close: that one also closes idle connections at once, and with them a request on its way.
  NetServer.prototype.close.call(server, () => (isClosed = true))
  const start = performance.now()
  for (let polls = 1; ; polls += 1) {
    await wait(pollMs)
    // What came while this process had no turn is there, but not read yet.
    await read()
    if (isClosed) break
    const passed = performance.now() - start
    if (polls * pollMs >= times.lingerMs) {
      server.closeIdleConnections()
      state.closeUnused()
    }
    if (passed >= times.stopMs) {
      state.stop()
      state.cutUpgraded()
    }
    if (passed >= times.cutMs) server.closeAllConnections()
  }
  // Ends the watch over slow requests, which outlives the connections otherwise.
  server.close()
}
