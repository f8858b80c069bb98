import { isIP } from 'node:net'
import type { RouteContext, TrustedProxies } from '#kernel'
import type { SessionOrigin } from './contract.ts'

/** What a caller says of itself beside what is seen. */
interface NamedOrigin {
  readonly deviceName?: string | undefined
  readonly clientIp?: string | undefined
}

/** Where a request comes from, for the list of sessions. */
export function requestOrigin(ctx: Pick<RouteContext, 'state' | 'header'>, deviceName?: string): SessionOrigin {
  return { ip: ctx.state.ip, userAgent: (ctx.header('user-agent') ?? '').slice(0, 512), deviceName }
}

/**
 * The same where the caller may name the client's address: only a front end of ours may, anybody else would hide behind
 * another's. That a proxy of ours passed the request on is not enough: it does so for everybody.
 */
export function namedOrigin(
  ctx: Pick<RouteContext, 'state' | 'header'>,
  { deviceName, clientIp = '' }: NamedOrigin,
  proxies: TrustedProxies,
): SessionOrigin {
  const seen = requestOrigin(ctx, deviceName)
  const maySpeak = isIP(clientIp) !== 0 && proxies.isTrusted(seen.ip)
  return maySpeak ? { ...seen, ip: clientIp } : seen
}
