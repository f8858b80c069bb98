import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { startFakeDns, type FakeDns } from '../support/fake-dns.ts'

/** Servers that plugins ask: a quick one, one that answers a byte now and then, one that takes a connection and says nothing. */
export interface Servers extends AsyncDisposable {
  readonly dns: FakeDns
  readonly ports: { readonly quick: number; readonly drip: number; readonly mute: number }
}

const dripMs = 200

/** Starts them, with a name server that answers for `*.example.com` and never for `*.silent.example.com`. */
export async function startServers(): Promise<Servers> {
  await using started = new AsyncDisposableStack()
  const dns = started.use(
    await startFakeDns((name) => (name.endsWith('.silent.example.com') ? undefined : ['127.0.0.1'])),
  )
  const quick = createHttpServer((_, response) => response.end('here'))
  const drip = createHttpServer((_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), dripMs)
    response.on('close', () => clearInterval(timer))
  })
  const mute = createServer((socket) => socket.on('error', () => undefined).resume())
  const open = async (server: Server): Promise<number> => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    started.defer(() => void server.close())
    return (server.address() as AddressInfo).port
  }
  const ports = { quick: await open(quick), drip: await open(drip), mute: await open(mute) }
  const resources = started.move()
  return { dns, ports, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
