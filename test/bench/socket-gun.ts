import { once } from 'node:events'
import { WebSocket } from 'ws'

/** What the parent asks for: to open sockets, or to say when each has heard so many events. */
export type Order =
  | { readonly open: { readonly url: string; readonly tokens: readonly string[]; readonly count: number } }
  | { readonly hear: number }
  | { readonly close: true }

// Holds many sockets in a process of its own, so that the server’s memory and time are the server’s.
const sockets: WebSocket[] = []
const atOnce = 50
let heard = 0
let awaited = Infinity

process.on('message', (order: Order) => {
  if ('open' in order) return void open(order.open)
  if ('close' in order) return void closeAll()
  awaited = heard + order.hear * sockets.length
  process.send?.({ listening: true })
})
process.on('disconnect', () => process.exit())

async function open({ url, tokens, count }: Extract<Order, { open: unknown }>['open']): Promise<void> {
  const began = performance.now()
  let next = 0
  const openOne = async (): Promise<void> => {
    while (next < count) {
      const token = tokens[next % tokens.length]
      next += 1
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const socket = new WebSocket(url, { headers, perMessageDeflate: false })
      sockets.push(socket)
      socket.once('close', (code) => {
        if (sockets.includes(socket)) process.send?.({ closed: code })
      })
      // The first frame says that it is ready.
      await once(socket, 'message')
      socket.on('message', () => {
        heard += 1
        if (heard === awaited) process.send?.({ heardAt: performance.timeOrigin + performance.now() })
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, openOne))
  process.send?.({ openedMs: performance.now() - began })
}

async function closeAll(): Promise<void> {
  const open = sockets.splice(0)
  const gone = open.map((socket) => once(socket, 'close'))
  for (const socket of open) socket.close()
  await Promise.all(gone)
  process.send?.({ closedAll: true })
}
