import type { RouteContext } from '#kernel'
import type { NeutralRequest } from '../wire/neutral.ts'

/** Keeps what a client of Anthropic turns on by header for a vendor of the same wire. */
export function withBetas(request: NeutralRequest, ctx: Pick<RouteContext, 'header'>): NeutralRequest {
  const { source } = request
  const beta = source?.wire === 'messages' ? ctx.header('anthropic-beta') : undefined
  if (!source || beta === undefined) return request
  return { ...request, source: { ...source, headers: { 'anthropic-beta': beta } } }
}
