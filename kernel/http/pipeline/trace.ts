import { traceStore } from '../../log.ts'
import type { AppParts } from '../app-parts.ts'
import { RequestContext } from '../request-context.ts'
import type { ServerState } from '../server-state.ts'
import { traceIdOf } from '../trace.ts'
import type { Middleware } from './state.ts'

/** Gives the request its trace id, which every line that is logged on its behalf has. */
export function trace(parts: AppParts, server: ServerState): Middleware {
  return (koa, next) => {
    // Sending stays ours: answering through `ctx.body` costs about 39 µs of CPU a request, beside 49 µs for the whole path without.
    koa.respond = false
    const traceId = traceIdOf(koa.req.headers.traceparent)
    koa.state.request = new RequestContext(koa, traceId, parts, server)
    return traceStore.run(traceId, next)
  }
}
