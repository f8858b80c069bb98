import type { ServiceTable } from '../service.ts'
import { addVary } from './answer-headers.ts'
import { originPolicy, type OriginPolicy } from './origin-policy.ts'
import type { RequestContext } from './request-context.ts'

const exposed = [
  ...['ETag', 'Idempotent-Replayed', 'Location', 'Preference-Applied', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
  ...['Attachment-Id', 'Tus-Checksum-Algorithm', 'Tus-Extension', 'Tus-Max-Size', 'Tus-Resumable', 'Tus-Version'],
  ...['Upload-Defer-Length', 'Upload-Expires', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset', 'X-Trace-Id'],
].join(', ')

/** Lets pages of allowed origins read the answer, never with cookies; without a policy no header is sent. */
export async function allowOrigin(ctx: RequestContext, services: ServiceTable): Promise<void> {
  const { origin } = ctx.request.headers
  const policy = services.find(originPolicy)
  if (origin === undefined || !policy) return
  addVary(ctx.pipelineHeaders, 'Origin')
  if (!(await isAllowed(ctx, policy, origin))) return
  ctx.pipelineHeaders['access-control-allow-origin'] = origin
  ctx.pipelineHeaders['access-control-expose-headers'] = exposed
}

/** A list that cannot be read allows nobody and stops no request: health is asked for just then. */
async function isAllowed(ctx: RequestContext, policy: OriginPolicy, origin: string): Promise<boolean> {
  try {
    return await policy.allowed(origin)
  } catch (error) {
    ctx.log.warn({ err: error }, 'the list of allowed origins cannot be read')
    return false
  }
}

/** Answers what a browser asks before it sends a request to another origin. */
export function allowPreflight(ctx: RequestContext, methods: string): void {
  const { headers } = ctx.request
  const isAllowed = ctx.pipelineHeaders['access-control-allow-origin'] !== undefined
  if (!isAllowed || headers['access-control-request-method'] === undefined) return
  ctx.pipelineHeaders['access-control-allow-methods'] = methods
  ctx.pipelineHeaders['access-control-max-age'] = '600'
  const asked = headers['access-control-request-headers']
  if (asked !== undefined) ctx.pipelineHeaders['access-control-allow-headers'] = asked
}
