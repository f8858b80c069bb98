import type { IncomingHttpHeaders } from 'node:http'
import { PayloadTooLargeError, type RouteContext } from '#kernel'
import type { ReceivedForm } from './receive-form.ts'

/** Headers that tell a guest something and prove nothing: no cookie, no credential, nothing of the way here. */
const toldHeaders: ReadonlySet<string> = new Set([
  ...['accept', 'accept-language', 'content-type', 'user-agent', 'if-match', 'if-none-match', 'if-modified-since'],
  ...['idempotency-key', 'x-request-id'],
])
/** What services put on their calls back, so that a public route can tell who calls: signatures, kinds and times. */
const shownInPublic: ReadonlySet<string> = new Set([...toldHeaders, 'webhook-id', 'svix-id'])
const callbackHeader = /^[a-z0-9-]+-(signature|signature-256|hmac-sha256|event|delivery|timestamp|topic)$/
const maxHeader = 1_024

/** What a route's handler in the guest is called with. */
interface GuestRequestOptions {
  /** Length of what stands before the plugin's own path. */
  readonly prefixLength: number
  readonly isPublic: boolean
  /** Whether the handler wants the body as it came, because a signature was made over it. */
  readonly showsRawBody: boolean
  readonly maxBytes: number
}

/** The JSON text of a request, as the guest sees it. */
export function presentRequest(
  ctx: RouteContext,
  { prefixLength, isPublic, showsRawBody, maxBytes }: GuestRequestOptions,
  form?: ReceivedForm,
): string {
  const { traceId, locale, ip } = ctx.state
  const text = JSON.stringify({
    method: ctx.method,
    path: ctx.path.slice(prefixLength),
    params: ctx.params,
    query: ctx.query,
    headers: shownHeaders(ctx.request.headers, isPublic),
    body: form ?? ctx.body ?? null,
    ...(showsRawBody ? { rawBody: ctx.rawBody?.toString() ?? '' } : {}),
    ...(isPublic ? { ip } : {}),
    locale,
    traceId,
  })
  // One character is at most three bytes, so most texts need no counting.
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes)
    throw new PayloadTooLargeError({ limit: maxBytes })
  return text
}

/** The headers that a handler gets to see, by their names in lower case. */
export function shownHeaders(headers: IncomingHttpHeaders, isPublic: boolean): Record<string, string> {
  const shown: Record<string, string> = {}
  const names = isPublic ? shownInPublic : toldHeaders
  for (const name in headers) {
    if (!names.has(name) && !(isPublic && callbackHeader.test(name))) continue
    const value = headers[name]
    if (typeof value === 'string' && value.length <= maxHeader) shown[name] = value
  }
  return shown
}
