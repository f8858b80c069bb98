import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { EgressError } from './egress-error.ts'
import { isExceptionAddress, isPublicAddress } from './public-address.ts'
import type { Resolve } from './resolve.ts'
import { limitWire } from './wire-limit.ts'

type IsAllowed = (address: string) => boolean
const tlsOptions = { allowH2: false, maxCachedSessions: 100 }

/** How the connector is set up. */
interface ConnectorOptions {
  readonly resolve: Resolve
  /** `host:port` entries behind which private addresses are fine. */
  readonly exceptions: ReadonlySet<string>
  readonly timeoutMs: number
  /** What one answer may bring, all that belongs to it counted; any number of bytes where it is left out. */
  readonly wireBytes?: number
  /** More to trust than the system's certificates. */
  readonly ca?: string
}

/** Makes connections to checked addresses alone: a name is resolved once, and connected to is what was checked. */
export function createGuardedConnector({
  resolve,
  exceptions,
  timeoutMs,
  wireBytes,
  ca,
}: ConnectorOptions): buildConnector.connector {
  const build = (isAllowed: IsAllowed): buildConnector.connector => {
    const lookup = createLookup(resolve, isAllowed)
    const options = { ...tlsOptions, timeout: timeoutMs, lookup, ...(ca === undefined ? {} : { ca }) }
    return checked(buildConnector(options), isAllowed, wireBytes)
  }
  const guarded = build(isPublicAddress)
  const excepted = build(isExceptionAddress)
  return (options, callback) => {
    const connect = isException(options, exceptions) ? excepted : guarded
    connect(options, callback)
  }
}

/** Looks up a URL's host and throws an EgressError unless all its addresses may be connected to. */
export function createHostCheck(resolve: Resolve, exceptions: ReadonlySet<string>): (url: URL) => Promise<void> {
  return async (url) => {
    const { protocol, port } = url
    const hostname = url.hostname.replace(/^\[|\]$/g, '')
    const isAllowed = isException({ protocol, hostname, port }, exceptions) ? isExceptionAddress : isPublicAddress
    const found = isIP(hostname) === 0 ? await lookUp(resolve, hostname) : [hostname]
    if (!found.every(isAllowed)) throw forbidden()
  }
}

/** Every address of a host name; throws an EgressError where there is none. */
export async function lookUp(resolve: Resolve, hostname: string): Promise<readonly string[]> {
  try {
    return (await resolve(hostname)).map(({ address }) => address)
  } catch (cause) {
    throw notResolved(cause)
  }
}

/** Whether the operator lets a private address stand behind a host and port. */
export function isException(
  { protocol, hostname, port }: { readonly protocol: string; readonly hostname: string; readonly port: string },
  exceptions: ReadonlySet<string>,
): boolean {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname.replace(/\.$/, '')
  return exceptions.has(`${host.toLowerCase()}:${port || (protocol === 'https:' ? '443' : '80')}`)
}

/** Literals never reach a lookup: they are checked before, and every connection once more when it stands. */
function checked(
  connect: buildConnector.connector,
  isAllowed: IsAllowed,
  wireBytes: number | undefined,
): buildConnector.connector {
  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) return callback(forbidden(), null)
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null)
      if (isAllowed(socket.remoteAddress ?? '')) {
        return callback(null, wireBytes === undefined ? socket : limitWire(socket, wireBytes))
      }
      socket.destroy()
      callback(forbidden(), null)
    })
  }
}

function createLookup(resolve: Resolve, isAllowed: IsAllowed): LookupFunction {
  return (hostname, { all, family }, callback) => {
    resolve(hostname).then(
      (found) => {
        // One bad address among good ones is an attempt, not an accident.
        if (!found.every(({ address }) => isAllowed(address))) return callback(forbidden(), '')
        const wanted = found.filter((entry) => !family || entry.family === toFamily(family))
        const [first] = wanted
        if (!first) return callback(notResolved(), '')
        if (all) callback(null, wanted)
        else callback(null, first.address, first.family)
      },
      (cause: unknown) => callback(notResolved(cause), ''),
    )
  }
}

function toFamily(family: number | 'IPv4' | 'IPv6'): number {
  return typeof family === 'number' ? family : family === 'IPv6' ? 6 : 4
}

/** The error of a host that must not be reached. */
export function forbidden(): EgressError {
  return new EgressError('address_forbidden', 'The host is not on the public internet')
}

function notResolved(cause?: unknown): EgressError {
  return new EgressError('name_not_resolved', 'The host name has no address', cause)
}
