import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createGuardedFetch, type GuardedFetch } from '#kernel'
import { startFakeDns, type FakeDns } from './fake-dns.ts'

/** A server on loopback, a name server that leads to it, and a client that may reach it under some names. */
export interface HttpWorld extends AsyncDisposable {
  readonly client: GuardedFetch
  readonly dns: FakeDns
  readonly port: number
  /** Requests that reached the server. */
  readonly seen: IncomingMessage[]
  /** How often somebody connected to the server. */
  readonly connections: number
}

const names: Readonly<Record<string, readonly string[]>> = {
  'api.example.test': ['127.0.0.1'],
  'once.test': ['127.0.0.1'],
  'private.test': ['127.0.0.1'],
  'ten.test': ['10.0.0.1'],
  'six.test': ['0:0:0:0:0:0:0:1'],
  'mixed.test': ['93.184.216.34', '127.0.0.1'],
  'mixed-last.test': ['127.0.0.1', '93.184.216.34'],
  'mapped.test': ['0:0:0:0:0:ffff:7f00:1'],
  'metadata.test': ['169.254.169.254'],
  'link.test': ['fe80:0:0:0:0:0:0:1'],
}

/** Starts it all; `api.example.test`, `once.test`, `metadata.test` and `link.test` stand in EGRESS_ALLOW_PRIVATE. */
export async function startHttpWorld(): Promise<HttpWorld> {
  await using started = new AsyncDisposableStack()
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  let connections = 0
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  started.defer(() => close(server))
  const { port } = server.address() as AddressInfo
  const dns = started.use(await startFakeDns((name) => names[name] ?? []))
  const egressAllowPrivate = new Set(
    ['api.example.test', 'once.test', 'metadata.test', 'link.test'].map((name) => `${name}:${port}`),
  )
  const client = started.use(createGuardedFetch({ egressAllowPrivate, dnsServers: [dns.address] }))
  const stack = started.move()
  return {
    ...{ client, dns, port, seen },
    get connections() {
      return connections
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

const megabyte = 1_048_576
const bomb = gzipSync(Buffer.alloc(4 * megabyte))
const nestedBomb = gzipSync(gzipSync(Buffer.alloc(64 * megabyte)))

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://server')
  const send = (content: string | Buffer, headers: Record<string, string> = {}): unknown =>
    response.writeHead(200, headers).end(content)
  switch (pathname) {
    case '/json':
      return void send('{"rate":1.1}', { 'content-type': 'application/json', 'set-cookie': 'a=b' })
    case '/echo':
      return void request
        .on('data', () => undefined)
        .on('end', () => send(JSON.stringify({ method: request.method, url: request.url, headers: request.headers })))
    case '/redirect':
      return void response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end()
    case '/text':
      return void send('<h1>no JSON</h1>', { 'content-type': 'text/html' })
    case '/hang':
      return
    case '/drip':
      return void drip(response)
    case '/large':
      return void send(Buffer.alloc(6 * megabyte))
    case '/endless':
      return void endless(response)
    case '/gzip':
      return void send(gzipSync('{"zipped":true}'), { 'content-encoding': 'gzip' })
    case '/gzip-twice':
      return void send(gzipSync(gzipSync('x')), { 'content-encoding': 'gzip, gzip' })
    case '/gzip-thrice':
      return void send(gzipSync(gzipSync(gzipSync('x'))), { 'content-encoding': 'gzip, gzip, gzip' })
    case '/bomb':
      return void send(bomb, { 'content-encoding': 'gzip' })
    case '/nested-bomb':
      return void send(nestedBomb, { 'content-encoding': 'gzip, gzip' })
    case '/broken-gzip':
      return void send('this is no gzip', { 'content-encoding': 'gzip' })
    case '/odd-encoding':
      return void send('x', { 'content-encoding': 'zstd' })
    case '/headers':
      return void send('x', { 'x-long': 'y'.repeat(40_000) })
    default:
      response.writeHead(404).end('{}')
  }
}

function drip(response: ServerResponse): void {
  response.writeHead(200)
  const timer = setInterval(() => response.write('.'), 20)
  response.on('close', () => clearInterval(timer))
}

function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536)
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
  }
  response.writeHead(200).on('drain', write)
  write()
}
