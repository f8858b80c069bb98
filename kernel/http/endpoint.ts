import { openWithPermission } from '../programming-errors.ts'
import { demandAcceptable, producedTypes } from './accept.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import { admitCaller, demandPermission } from './caller.ts'
import { IdempotencyStore } from './idempotency-store.ts'
import { honoursIdempotencyKey, idempotencyKey, runOnce } from './idempotency.ts'
import { compileInput } from './input.ts'
import { demandLimit } from './limit.ts'
import type { RequestContext } from './request-context.ts'
import { compileResponseCheck } from './response-check.ts'
import type { Route } from './route.ts'
import { routeName } from './route-name.ts'

/** A route made ready for requests. */
export interface Endpoint {
  readonly plugin: string
  readonly route: Route
  /** From caller to answer; throws what the one catch turns into an error body. */
  run(ctx: RequestContext): Promise<unknown>
}

/** Makes endpoints; what they share is made once. */
export function createEndpointCompiler(
  parts: EndpointParts,
): (plugin: { readonly name: string }, route: Route) => Endpoint {
  const idempotency = new IdempotencyStore(parts.database.knex)
  return (plugin, route) => compileEndpoint(plugin.name, route, parts, idempotency)
}

function compileEndpoint(plugin: string, route: Route, parts: EndpointParts, idempotency: IdempotencyStore): Endpoint {
  const { services, store, secrets } = parts
  const { auth = 'user', permission, admit, demandCredential, limit } = route
  const name = routeName(route)
  if (permission !== undefined && auth === 'none') throw openWithPermission(name)
  const input = compileInput(route, parts.compileSchemas)
  const produced = producedTypes(route)
  const checkResponse = parts.checkResponses ? compileResponseCheck(route, name, parts.compileSchemas) : undefined
  const hasCaller = auth !== 'none'
  const asksWho = hasCaller || route.tenant !== undefined
  const mayRepeat = honoursIdempotencyKey(route)
  const log = parts.log.child({ plugin, route: name })
  // The contexts that handlers ask for follow from their own schemas, which the checks below enforce.
  const handler = route.handler.bind(route) as unknown as (ctx: RequestContext) => unknown

  async function answer(ctx: RequestContext): Promise<unknown> {
    const value = await handler(ctx)
    checkResponse?.(value)
    return value
  }

  async function run(ctx: RequestContext): Promise<unknown> {
    ctx.log = log
    // What a busy host comes to late may be wanted no more: it takes no connection of the database then, and no turn.
    if (ctx.isForsaken) return
    if (asksWho) await admitCaller(ctx, route, services)
    if (admit !== undefined) admit(ctx.state)
    if (demandCredential !== undefined) await demandCredential(ctx)
    if (permission !== undefined) demandPermission(ctx, permission)
    if (limit !== undefined) await demandLimit(ctx, plugin, limit, store.limiter)
    if (produced !== undefined) demandAcceptable(ctx, produced)
    input.readParameters(ctx)
    if (input.takesBody) await input.readBody(ctx)
    if (ctx.isForsaken) return
    const key = mayRepeat && ctx.state.principal ? idempotencyKey(ctx) : undefined
    if (key === undefined) return answer(ctx)
    return runOnce(ctx, key, name, idempotency, secrets, () => answer(ctx))
  }

  return { plugin, route, run }
}
