import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers requests of one lane. */
export type LaneHandler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => unknown

/** Servers on one port of loopback, each below a path of its own. */
export interface Lanes extends AsyncDisposable {
  readonly port: number
  /** Answers below `/<name>` from now on; answers the address. */
  open(name: string, handler: LaneHandler): string
}

/** Starts it; whoever has no lane gets 404. */
export async function startLanes(): Promise<Lanes> {
  const handlers = new Map<string, LaneHandler>()
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => void pieces.push(piece))
    request.on('end', () => {
      const handler = handlers.get((request.url ?? '').split('/')[1] ?? '')
      if (handler) handler(request, response, Buffer.concat(pieces))
      else response.writeHead(404).end()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    open(name, handler) {
      handlers.set(name, handler)
      return `http://127.0.0.1:${String(port)}/${name}/mcp`
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
