import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, Field } from '../attack.ts'

const mostSockets = 48
const eachMs = 100

/** Callers who ask for as much as there is and read nothing of it. */
export const unreadAnswers: Attack = {
  name: 'unread-answers',
  async prepare(field) {
    const plugin = await field.world.attacker()
    return async (isOver) => {
      const sockets: Socket[] = []
      for (let count = 0; !isOver(); count++) {
        sockets.push(ask(field, plugin, count))
        if (sockets.length > mostSockets) sockets.shift()?.destroy()
        await sleep(eachMs)
      }
      for (const socket of sockets) socket.destroy()
    }
  },
}

function ask({ world, tally }: Field, plugin: string, count: number): Socket {
  const { url, token } = world.evil[count % world.evil.length]?.api ?? world.admin
  const { hostname, port, host } = new URL(url)
  const body = JSON.stringify({ code: 'return "x".repeat(1_000_000)' })
  const lines = [
    `POST /tenant/plugins/${plugin}/api/run HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => undefined)
  // Several requests on one connection, none of which waits for the answer to the one before.
  for (let each = 0; each < 4; each++) socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  tally.add('unread')
  return socket
}
