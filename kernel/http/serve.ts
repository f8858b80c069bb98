import { AppError, MethodNotAllowedError, RouteNotFoundError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { absentRoutes } from './absent-routes.ts'
import { addHeaders, pipelineHeaders } from './answer-headers.ts'
import { acceptVersion } from './api-version.ts'
import type { AppParts } from './app-parts.ts'
import { allowOrigin, allowPreflight } from './cors.ts'
import { discardBody } from './discard-body.ts'
import { hideError, presentError } from './error-body.ts'
import type { RequestContext } from './request-context.ts'
import { demandPlainRequest } from './request-line.ts'
import { send, sendText } from './send.ts'

/** Answers one request; the only catch there is. */
export async function serve(ctx: RequestContext, parts: AppParts): Promise<void> {
  try {
    demandPlainRequest(ctx.request, ctx.path)
    if (ctx.request.headers.origin !== undefined) await allowOrigin(ctx, parts.services)
    acceptVersion(ctx)
    const found = parts.routes.find(ctx.method, ctx.path)
    if ('allowed' in found) return await answerUnmatched(ctx, found.allowed, parts)
    ctx.params = found.params
    ctx.route = found.endpoint.route
    await send(ctx, await found.endpoint.run(ctx))
  } catch (error) {
    sendFailure(ctx, error, parts)
  }
}

async function answerUnmatched(ctx: RequestContext, known: ReadonlySet<string>, parts: AppParts): Promise<void> {
  const standIn = known.size === 0 ? parts.services.find(absentRoutes)?.find(ctx.path) : undefined
  if (!standIn) return sendUnmatched(ctx, known)
  ctx.params = { ...standIn.params }
  try {
    await send(ctx, await parts.routes.ready(standIn.route).run(ctx))
  } catch (error) {
    if (standIn.isSecret && error instanceof AppError && error.status < 404) throw new RouteNotFoundError()
    throw error
  }
}

function sendUnmatched(ctx: RequestContext, known: ReadonlySet<string>): void {
  if (known.size === 0) throw new RouteNotFoundError()
  const allow = [...known, 'OPTIONS'].sort().join(', ')
  if (ctx.method !== 'OPTIONS') throw new MethodNotAllowedError({ headers: { allow } })
  allowPreflight(ctx, allow)
  sendText(ctx, 204, { ...pipelineHeaders(ctx), allow }, '')
}

function sendFailure(ctx: RequestContext, thrown: unknown, { messages, log }: AppParts): void {
  const { response } = ctx
  const error = thrown instanceof AppError ? thrown : hideError(thrown)
  if (error.status >= 500) logFailure(ctx, error, log)
  if (response.headersSent || response.destroyed) return void response.destroy()
  const { status, headers, text } = presentError(ctx, error, messages.tell(error, ctx.locale))
  const all = pipelineHeaders(ctx)
  addHeaders(all, headers)
  sendText(ctx, status, all, text)
  discardBody(ctx.request)
}

/** What is told to the caller on purpose is no accident of the program: one line, with the words of its cause and no stack. */
function logFailure({ method, path }: RequestContext, error: AppError, log: Logger): void {
  const { code, reason, status, cause } = error
  const fields = { code, reason, method, path }
  if (status === 500 && cause !== undefined) return log.error({ err: cause, ...fields }, 'a request failed')
  const words = typeof cause === 'string' ? cause : (cause as { readonly message?: unknown } | undefined)?.message
  log.warn({ ...fields, ...(typeof words === 'string' && { cause: words.slice(0, 500) }) }, 'a request was refused')
}
