import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { StartError } from '../start-error.ts'

/** An address that a server listens on. */
interface ServerAddress {
  readonly host: string
  readonly port: number
}

const words: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'the system does not let this user',
  ENOTFOUND: 'there is no such host name',
}

/** Listens; a StartError says why that is not possible. */
export async function listenOn(server: Server, { host, port }: ServerAddress): Promise<void> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    throw new StartError(`${host}:${port} cannot be listened on (HOST and PORT): ${words[code] ?? message}`, { cause })
  }
}

/** Fails as `listenOn` would, before anything else of a start is done. */
export async function checkAddress(address: ServerAddress): Promise<void> {
  const server = createServer()
  await listenOn(server, address)
  server.close()
  await once(server, 'close')
}
