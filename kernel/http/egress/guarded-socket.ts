import { connect, isIP, type Socket } from 'node:net'
import { EgressError } from './egress-error.ts'
import { forbidden, isException, lookUp } from './guarded-connector.ts'
import { isExceptionAddress, isPublicAddress } from './public-address.ts'
import { createResolve } from './resolver.ts'

/** Connects to a host's port over TCP; throws an EgressError where that is not allowed or does not succeed in time. */
export type GuardedConnect = (host: string, port: number, timeoutMs: number) => Promise<Socket>

/** What the operator set for outgoing connections. */
interface GuardedConnectOptions {
  readonly egressAllowPrivate: ReadonlySet<string>
  readonly dnsServers: readonly string[]
}

/** Connects to checked addresses alone, for protocols other than HTTP: a name is resolved once, and connected to is what was checked. */
export function createGuardedConnect({ egressAllowPrivate, dnsServers }: GuardedConnectOptions): GuardedConnect {
  const resolve = createResolve({ dnsServers, named: egressAllowPrivate })
  return async (host, port, timeoutMs) => {
    const hostname = host.replace(/^\[|\]$/g, '')
    const isExcepted = isException({ protocol: 'tcp:', hostname, port: String(port) }, egressAllowPrivate)
    const isAllowed = isExcepted ? isExceptionAddress : isPublicAddress
    const addresses = isIP(hostname) === 0 ? await lookUp(resolve, hostname) : [hostname]
    // One bad address among good ones is an attempt, not an accident.
    if (!addresses.every(isAllowed)) throw forbidden()
    return connectToFirst(addresses, port, timeoutMs)
  }
}

async function connectToFirst(addresses: readonly string[], port: number, timeoutMs: number): Promise<Socket> {
  const faults: unknown[] = []
  for (const address of addresses) {
    try {
      return await connectTo(address, port, timeoutMs)
    } catch (error) {
      faults.push(error)
    }
  }
  throw new EgressError('connection_failed', 'The connection failed', faults[0])
}

function connectTo(host: string, port: number, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: timeoutMs })
    const fail = (error: Error): void => {
      socket.destroy()
      reject(error)
    }
    socket.once('error', fail)
    socket.once('timeout', () => fail(new EgressError('timeout', 'The host did not answer in time')))
    socket.once('connect', () => {
      socket.removeAllListeners('error').removeAllListeners('timeout').setTimeout(0)
      resolve(socket)
    })
  })
}
