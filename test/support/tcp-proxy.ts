import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Who sent the bytes that a rule looks at. */
export type Side = 'client' | 'server'

/** Bytes that come back to whoever sent something, which never arrives. */
export interface Reply {
  readonly bytes: Buffer
  /** Whether the connection is closed after it. */
  readonly isLast: boolean
}

/** What becomes of bytes on their way; `reset` ends the connection at once, and the bytes never arrive. */
export type Fate = 'pass' | 'swallow' | 'reset' | Reply

/** Decides on each piece of data; `connection` counts from 1. */
export type Rule = (piece: Buffer, from: Side, connection: number) => Fate

/** A server behind a wire that can be cut, slowed down and silenced on command. */
export interface TcpProxy extends AsyncDisposable {
  readonly host: string
  readonly port: number
  /** How many connections are open. */
  readonly open: number
  /** How many pieces were swallowed. */
  readonly swallowed: number
  /** This URL with the proxy in the server's place; a `?host=` of a unix socket goes. */
  through(url: string): string
  /** Everything passes again; connections that lost bytes meanwhile are reset, for what they missed never comes. */
  heal(): void
  /** Everything passes again, also on connections that lost bytes: nobody is told that anything is missing. */
  resume(): void
  /** Resets all connections, and each new one until `heal`. */
  cut(): void
  /** Resets each new connection until `heal`; those that stand pass. */
  refuse(): void
  /** Resets the connections there are; new ones pass. */
  reset(): void
  /** Accepts connections and bytes, and delivers none of them. */
  swallow(): void
  /** Holds every piece back for so many milliseconds, in each direction. */
  delay(milliseconds: number): void
  /** Asks the rule about every piece, until `heal`. */
  follow(rule: Rule): void
}

interface Wire {
  readonly id: number
  readonly client: Socket
  readonly server: Socket
  hasLost: boolean
}

/** Listens on loopback and forwards to a TCP port or a unix socket. */
export async function startTcpProxy(
  target: string | { readonly port: number; readonly host?: string },
): Promise<TcpProxy> {
  const wires = new Set<Wire>()
  let rule: Rule = passAll
  let refuses = false
  let delayMs = 0
  let count = 0
  let swallowed = 0

  const listener = createServer({ pauseOnConnect: false }, (client) => {
    client.on('error', () => undefined)
    if (refuses) return void client.resetAndDestroy()
    const server = connect(toConnect(target))
    const wire: Wire = { id: ++count, client, server, hasLost: false }
    wires.add(wire)
    carry(wire, client, server, 'client')
    carry(wire, server, client, 'server')
  })

  function carry(wire: Wire, from: Socket, to: Socket, side: Side): void {
    from.setNoDelay(true)
    from.on('error', () => undefined)
    from.on('data', (piece) => {
      const fate = rule(piece, side, wire.id)
      if (fate === 'reset') end(wire)
      else if (typeof fate === 'object') reply(wire, from, fate)
      else if (fate === 'swallow') {
        wire.hasLost = true
        swallowed++
      } else if (delayMs === 0) forward(from, to, piece)
      else setTimeout(() => forward(from, to, piece), delayMs)
    })
    from.on('end', () => setTimeout(() => to.end(), delayMs))
    from.on('close', () => {
      wires.delete(wire)
      setTimeout(() => to.destroy(), delayMs)
    })
  }

  function reply(wire: Wire, to: Socket, { bytes, isLast }: Reply): void {
    if (!isLast) return void to.write(bytes)
    wires.delete(wire)
    to.end(bytes)
    for (const socket of [wire.client, wire.server]) if (socket !== to) socket.destroy()
  }

  function end(wire: Wire): void {
    wires.delete(wire)
    wire.client.resetAndDestroy()
    wire.server.destroy()
  }

  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }

  return {
    host: '127.0.0.1',
    port,
    get open() {
      return wires.size
    },
    get swallowed() {
      return swallowed
    },
    through(url) {
      const changed = new URL(url)
      changed.hostname = '127.0.0.1'
      changed.port = String(port)
      changed.searchParams.delete('host')
      return changed.href
    },
    heal() {
      refuses = false
      delayMs = 0
      rule = passAll
      for (const wire of [...wires]) if (wire.hasLost) end(wire)
    },
    resume() {
      refuses = false
      delayMs = 0
      rule = passAll
    },
    cut() {
      refuses = true
      for (const wire of [...wires]) end(wire)
    },
    refuse() {
      refuses = true
    },
    reset() {
      for (const wire of [...wires]) end(wire)
    },
    swallow() {
      rule = () => 'swallow'
    },
    delay(milliseconds) {
      delayMs = milliseconds
    },
    follow(next) {
      rule = next
    },
    async [Symbol.asyncDispose]() {
      for (const wire of [...wires]) end(wire)
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

/** The server that a URL names: of PostgreSQL also a unix socket, of Redis the default port. */
export function serverOf(url: string): string | { readonly port: number; readonly host: string } {
  const { protocol, hostname, port, searchParams } = new URL(url)
  const defaults: Record<string, number> = { 'redis:': 6379, 'postgres:': 5432, 'postgresql:': 5432, 'http:': 80 }
  const folder = searchParams.get('host')
  const number = Number(port) || (defaults[protocol] ?? 0)
  return folder?.startsWith('/') ? `${folder}/.s.PGSQL.${number}` : { host: folder ?? hostname, port: number }
}

function toConnect(
  target: string | { readonly port: number; readonly host?: string },
): { path: string } | { port: number; host: string } {
  return typeof target === 'string' ? { path: target } : { host: '127.0.0.1', ...target }
}

function forward(from: Socket, to: Socket, piece: Buffer): void {
  if (to.destroyed || to.write(piece)) return
  from.pause()
  to.once('drain', () => from.resume())
  to.once('close', () => from.resume())
}

function passAll(): Fate {
  return 'pass'
}
