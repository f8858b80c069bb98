import { AppError, MethodNotAllowedError, RouteNotFoundError } from '../../errors.ts'
import { absentRoutes } from '../absent-routes.ts'
import { addHeaders, pipelineHeaders } from '../answer-headers.ts'
import type { AppParts } from '../app-parts.ts'
import { allowPreflight } from '../cors.ts'
import type { RequestContext } from '../request-context.ts'
import { send, sendText } from '../send.ts'
import type { Middleware } from './state.ts'

/** Said of a path of which strangers learn nothing. */
const anyMethod = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT']

/** Runs the route that a request is for, and sends what it returned. */
export function dispatch(parts: AppParts): Middleware {
  return async (koa) => {
    const { request } = koa.state
    const found = parts.routes.find(request.method, request.path)
    if ('allowed' in found) return await answerUnmatched(request, found.allowed, parts)
    request.params = found.params
    request.route = found.endpoint.route
    request.plugin = found.endpoint.plugin
    addHeaders(request.pipelineHeaders, found.endpoint.route.headers ?? {})
    await send(request, await found.endpoint.run(request))
  }
}

async function answerUnmatched(ctx: RequestContext, known: ReadonlySet<string>, parts: AppParts): Promise<void> {
  const standIn = parts.services.find(absentRoutes)?.find(ctx.path)
  if (!standIn || (known.size > 0 && !standIn.isClosed)) return sendUnmatched(ctx, known, parts)
  // What a browser asks beforehand comes without a credential.
  if (standIn.isClosed && ctx.method === 'OPTIONS') return sendOptions(ctx, anyMethod)
  ctx.params = { ...standIn.params }
  try {
    await parts.routes.ready(standIn.route).run(ctx)
  } catch (error) {
    if (standIn.isSecret && error instanceof AppError && error.status < 404) throw new RouteNotFoundError()
    throw error
  }
  return sendUnmatched(ctx, known, parts)
}

async function sendUnmatched(
  ctx: RequestContext,
  known: ReadonlySet<string>,
  parts: Pick<AppParts, 'routes'>,
): Promise<void> {
  if (known.size === 0) throw new RouteNotFoundError()
  if (ctx.method === 'OPTIONS') return sendOptions(ctx, known, await optionsOf(ctx.path, known, parts))
  throw new MethodNotAllowedError({ headers: { allow: allowOf(known) } })
}

/** What the routes of a path say to OPTIONS. */
async function optionsOf(
  path: string,
  known: ReadonlySet<string>,
  { routes }: Pick<AppParts, 'routes'>,
): Promise<Readonly<Record<string, string>>> {
  const said: Record<string, string> = {}
  for (const method of known) {
    const found = routes.find(method, path)
    if ('endpoint' in found) addHeaders(said, (await found.endpoint.route.options?.()) ?? {})
  }
  return said
}

function sendOptions(ctx: RequestContext, known: Iterable<string>, said: Readonly<Record<string, string>> = {}): void {
  const allow = allowOf(known)
  allowPreflight(ctx, allow)
  sendText(ctx, 204, { ...pipelineHeaders(ctx), ...said, allow }, '')
}

function allowOf(methods: Iterable<string>): string {
  return [...methods, 'OPTIONS'].sort().join(', ')
}
