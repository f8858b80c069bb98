import type { AppError, ErrorForms } from '#kernel'
import type { Dialect, DialectError } from '../wire/dialect.ts'
import { chatCompletions } from '../wire/dialects/chat-completions/dialect.ts'
import { messages } from '../wire/dialects/messages/dialect.ts'

/** Where the surfaces are. */
export const root = '/v1'

/** Errors below `/v1` are told in the words of the dialect whose path it is: OpenAI's where nothing says otherwise. */
export const surfaceForms: ErrorForms = {
  find(path) {
    if (path !== root && !path.startsWith(`${root}/`)) return undefined
    const dialect: Dialect = path.startsWith(`${root}/messages`) ? messages : chatCompletions
    return (error, { message }, { traceId }) => dialect.error(dialectErrorOf(error, message, traceId))
  },
}

/** An error as dialects tell it. */
export function dialectErrorOf(error: AppError, message: string, traceId: string): DialectError {
  const { status, code, reason, errors } = error
  const param = errors?.[0]?.field
  return { status, code, reason, message, traceId, ...(param !== undefined && { param }) }
}
