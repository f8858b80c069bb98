import { Readable } from 'node:stream'
import { NotAcceptableError } from '../errors.ts'
import { mediaTypeOf } from './media-type.ts'
import type { Reply, ReplyBody } from './reply.ts'
import type { RequestContext } from './request-context.ts'
import type { Route } from './route.ts'
import { leave } from './send-events.ts'

const json = 'application/json'
const everything = '*/*'
const problem = 'application/problem+json'

/** What a route answers with, where that is known before it ran: JSON, if its answer has a schema. */
export function producedTypes({ produces, schema }: Route): readonly string[] | undefined {
  return produces ?? (schema?.response ? [json] : undefined)
}

/** Throws 406/4060 when the caller's Accept leaves out every one of these media types. */
export function demandAcceptable(ctx: RequestContext, available: readonly string[]): void {
  const { accept } = ctx.request.headers
  if (accept === undefined || accept === everything || available.includes(accept)) return
  if (available.includes(everything)) return
  ctx.request.headers.accept = withoutParameters(accept)
  // Who takes failures as problems of RFC 9457 takes what went well as JSON.
  const types = available.includes(json) ? [...available, problem] : [...available]
  if (ctx.koa.accepts(types) !== false) return
  throw new NotAcceptableError({ available: available.join(', ') }, { details: { available } })
}

/**
 * Throws 406/4060 when what a route read, of which it did not say before what it would be, is nothing the caller takes. What was
 * done is told all the same, in whatever type there is.
 */
export function demandReadable(ctx: RequestContext, { body, status }: Reply): void {
  const { method, request, route } = ctx
  if (request.headers.accept === undefined || (method !== 'GET' && method !== 'HEAD')) return
  if (status === 304 || body.kind === 'redirect' || (route && producedTypes(route))) return
  try {
    demandAcceptable(ctx, typesOf(body))
  } catch (error) {
    if (body.kind === 'raw' && body.content instanceof Readable) body.content.destroy()
    if (body.kind === 'events') leave(ctx, body.events)
    throw error
  }
}

function typesOf(body: ReplyBody): readonly string[] {
  if (body.kind === 'events') return ['text/event-stream']
  return body.kind === 'raw' ? [mediaTypeOf(body.contentType)] : [json]
}

/** No type here comes in several forms, so what a range says beside its weight, such as a charset, rules nothing out. */
function withoutParameters(accept: string): string {
  if (!accept.includes(';')) return accept
  const ranges = accept.split(',').map((range) => range.split(';'))
  return ranges.map((parts) => parts.filter((part, at) => at === 0 || /^\s*q\s*=/i.test(part)).join(';')).join(',')
}
