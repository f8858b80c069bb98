import { Readable } from 'node:stream'
import { NotAcceptableError } from '../errors.ts'
import type { Reply, ReplyBody } from './reply.ts'
import type { RequestContext } from './request-context.ts'
import type { Route } from './route.ts'

const json = ['application/json']
const problem = 'application/problem+json'
/** A weight of nothing: `q=0`, also with zeros behind the point. */
const ruledOut = /q=0(?![.0]*[1-9])/i

/** What a route answers with, where that is known before it ran: JSON, if its answer has a schema. */
export function producedTypes({ produces, schema }: Route): readonly string[] | undefined {
  return produces ?? (schema?.response ? json : undefined)
}

/** Throws 406/4060 when the caller's Accept leaves out every one of these media types. */
export function demandAcceptable(ctx: RequestContext, available: readonly string[]): void {
  const { accept } = ctx.request.headers
  if (accept === undefined || accept === '*/*' || available.includes(accept)) return
  // What browsers and clients send; lists of ranges are read only where something is ruled out.
  if (accept.includes('*/*') && !ruledOut.test(accept)) return
  const ranges = readRanges(accept)
  if (ranges.length === 0 || available.some((type) => isTaken(type, ranges))) return
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
    throw error
  }
}

function typesOf(body: ReplyBody): readonly string[] {
  if (body.kind === 'events') return ['text/event-stream']
  return body.kind === 'raw' ? [mediaTypeOf(body.contentType)] : json
}

function mediaTypeOf(contentType: string): string {
  const semicolon = contentType.indexOf(';')
  return (semicolon === -1 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase()
}

interface Range {
  readonly range: string
  readonly weight: number
}

function readRanges(accept: string): readonly Range[] {
  return accept.split(',').flatMap((entry) => {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    return range === '' ? [] : [{ range, weight: readWeight(parameters) }]
  })
}

function readWeight(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const weight = given === undefined ? 1 : Number(given.slice(2))
  return Number.isFinite(weight) ? weight : 1
}

/** Who takes failures as problems of RFC 9457 takes what went well as JSON. */
function isTaken(type: string, ranges: readonly Range[]): boolean {
  if (weightOf(type, ranges) > 0) return true
  return type === 'application/json' && ranges.some(({ range, weight }) => range === problem && weight > 0)
}

/** The most specific range that takes in a type decides on it. */
function weightOf(type: string, ranges: readonly Range[]): number {
  const candidates = [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']
  for (const candidate of candidates) {
    const found = ranges.find(({ range }) => range === candidate)
    if (found) return found.weight
  }
  return 0
}
