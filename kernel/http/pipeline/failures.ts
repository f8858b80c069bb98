import { AppError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { addHeaders, pipelineHeaders } from '../answer-headers.ts'
import type { AppParts } from '../app-parts.ts'
import { discardBody } from '../discard-body.ts'
import { hideError, presentError, presentForeign } from '../error-body.ts'
import { errorForms } from '../error-forms.ts'
import type { RequestContext } from '../request-context.ts'
import { sendText } from '../send.ts'
import type { Middleware } from './state.ts'

/** Turns whatever is thrown behind it into an error body; the only catch there is. */
export function answerFailures(parts: AppParts): Middleware {
  return async (koa, next) => {
    try {
      await next()
    } catch (error) {
      sendFailure(koa.state.request, error, parts)
    }
  }
}

function sendFailure(ctx: RequestContext, thrown: unknown, { messages, log, services }: AppParts): void {
  const { response } = ctx
  const error = thrown instanceof AppError ? thrown : hideError(thrown)
  if (error.status >= 500) logFailure(ctx, error, log)
  if (response.headersSent || response.destroyed) return void response.destroy()
  const told = messages.tell(error, ctx.locale)
  const form = services.find(errorForms)?.find(ctx.path)
  const { status, headers, text } = form ? presentForeign(ctx, error, told, form) : presentError(ctx, error, told)
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
