import type { RouteContext } from '#kernel'
import type { SessionOrigin } from './contract.ts'

/** Where a request comes from, for the list of sessions. */
export function requestOrigin(ctx: Pick<RouteContext, 'state' | 'header'>, deviceName?: string): SessionOrigin {
  return { ip: ctx.state.ip, userAgent: (ctx.header('user-agent') ?? '').slice(0, 512), deviceName }
}
