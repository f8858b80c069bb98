import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What it answers to one operation: put, get, head or delete. */
export type Lie = (response: ServerResponse, body: Buffer) => void

/** A service that takes no signature and answers what the test says. */
export interface LyingS3 extends AsyncDisposable {
  readonly port: number
  /** Operation → what is answered from now on; what is not named is answered well, for a single object. */
  tell(lies: Readonly<Record<string, Lie>>): void
  /** How many bytes of bodies went out since the last `tell`. */
  sent(): number
}

const piece = Buffer.alloc(65_536, 'x')

/** Answers that begin well and have no end. */
export function endless(headers: Readonly<Record<string, string | number>>, status = 200): Lie {
  return (response) => {
    response.writeHead(status, headers)
    const pump = (): void => {
      while (!response.destroyed && response.write(piece));
    }
    response.on('drain', pump)
    pump()
  }
}

/** Starts it. */
export async function startLyingS3(): Promise<LyingS3> {
  let lies: Readonly<Record<string, Lie>> = {}
  let kept = Buffer.alloc(0)
  let before = 0
  const sockets = new Set<{ readonly bytesWritten: number }>()
  const total = (): number => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isBucket = new URL(request.url ?? '/', 'http://s').pathname.split('/').filter(Boolean).length < 2
      const operation = isBucket ? 'bucket' : (request.method ?? '').toLowerCase()
      const body = Buffer.concat(chunks)
      const lie = lies[operation]
      if (lie) return lie(response, operation === 'put' ? body : kept)
      if (operation === 'put') kept = body
      if (operation === 'get') return answerPart(response, request.headers.range, kept)
      response.writeHead(
        operation === 'delete' ? 204 : 200,
        operation === 'head' ? { 'content-length': kept.length } : {},
      )
      response.end()
    })
  })
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    tell(told) {
      lies = told
      before = total()
    },
    sent: () => total() - before,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answerPart(response: ServerResponse, range: string | undefined, kept: Buffer): void {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (start === undefined) return void response.writeHead(200, { 'content-length': kept.length }).end(kept)
  const part = kept.subarray(Number(start), Number(end) + 1)
  const told = { 'content-length': part.length, 'content-range': `bytes ${start}-${end}/${kept.length}` }
  response.writeHead(206, told).end(part)
}
