import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * A caller that takes not one byte of an answer for so long is given up, with its connection: what it does not read is held
 * in this process. However slow a download is that moves, it goes on, and events have a heartbeat every 15 seconds.
 */
export const longestUnreadMs = 30_000

/** Ends connections on which an answer does not move, and those that nobody uses; a handler may take its time. */
export function endUnread(server: Server, answers: WeakMap<Duplex, ServerResponse>, milliseconds: number): void {
  // Node looks at what the system took of a large write, too, and begins anew when that is more than before.
  server.timeout = milliseconds
  server.on('timeout', (socket: Socket) => {
    const answer = answers.get(socket)
    // By this listener Node leaves it to us to close what was kept alive for long enough.
    const isIdle = answer === undefined || answer.closed
    if (socket.writableLength > 0 || isIdle) socket.destroy()
  })
}
