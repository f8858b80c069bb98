import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { collectGarbage } from './collect-garbage.ts'

// The floor: sockets that are opened for everybody and told something, on a bare `ws` server.
const server = createServer((request, response) => {
  if (request.url === '/memory') return void response.end(String(memory()))
  const frame = { id: '00000000-0000-7000-8000-000000000000', type: 'event', event: 'announcement.published' }
  const data = { id: '00000000-0000-7000-8000-000000000000', level: 'info' }
  const bytes = Buffer.from(JSON.stringify({ ...frame, ts: new Date().toISOString(), v: 1, data }))
  for (const socket of sockets.clients) socket.send(bytes, { binary: false })
  response.end()
})
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', (socket) => socket.send('{"type":"ready"}'))
server.listen(Number(process.env['PORT']), '127.0.0.1')

function memory(): number {
  collectGarbage()
  return process.memoryUsage.rss()
}
