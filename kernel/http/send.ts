import { Readable } from 'node:stream'
import { demandReadable } from './accept.ts'
import { addHeaders, addVary, pipelineHeaders, type AnswerHeaders } from './answer-headers.ts'
import { localiseEtag } from './etag.ts'
import { asReply, type Reply, type ReplyBody } from './reply.ts'
import type { RequestContext } from './request-context.ts'
import { sendEvents } from './send-events.ts'
import { sendStream } from './send-stream.ts'

const json = 'application/json; charset=utf-8'
/** Served files and pages run nothing and embed nothing unless their route says otherwise. */
const filePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; sandbox"

/** Sends what a handler returned: a value as the body's data, a stream or a Reply as it is. */
export async function send(ctx: RequestContext, value: unknown): Promise<void> {
  const reply = asReply(value)
  const { body, status } = reply
  const headers = pipelineHeaders(ctx)
  addHeaders(headers, ctx.handlerHeaders)
  addHeaders(headers, reply.headers)
  demandReadable(ctx, reply)
  switch (body.kind) {
    case 'raw':
      return sendRaw(ctx, reply, headers, body)
    case 'events':
      return sendEvents(ctx, headers, body.events)
    case 'redirect':
      headers['location'] = body.location
      return sendText(ctx, status, headers, '')
    case 'bare':
      return sendJson(ctx, status, headers, JSON.stringify(body.value ?? null))
    case 'json-text':
      if (body.etag !== undefined && isUnchanged(ctx, headers, body.etag)) return sendText(ctx, 304, headers, '')
      return sendWrapped(ctx, status, headers, body.text)
    case 'data':
      if (body.etag !== undefined && isUnchanged(ctx, headers, body.etag)) return sendText(ctx, 304, headers, '')
      return sendWrapped(ctx, status, headers, JSON.stringify(body.data ?? null))
  }
}

/** Sends a text whose type stands in the headers. */
export function sendText(ctx: RequestContext, status: number, headers: AnswerHeaders, content: string | Buffer): void {
  const { response } = ctx
  if (response.destroyed) return
  if (status !== 204 && status !== 304) headers['content-length'] = String(Buffer.byteLength(content))
  response.writeHead(status, headers)
  if (ctx.method === 'HEAD' || status === 204 || status === 304) response.end()
  else response.end(content)
}

function sendWrapped(ctx: RequestContext, status: number, headers: AnswerHeaders, data: string): void {
  const prefer = ctx.request.headers['prefer']
  if (prefer !== undefined && /(^|[,;\s])return\s*=\s*"?bare\b/i.test(String(prefer))) {
    const applied = headers['preference-applied']
    headers['preference-applied'] = applied === undefined ? 'return=bare' : `${String(applied)}, return=bare`
    return sendJson(ctx, status, headers, data)
  }
  sendJson(ctx, status, headers, `{"code":0,"message":"ok","data":${data},"trace_id":"${ctx.traceId}"}`)
}

function sendJson(ctx: RequestContext, status: number, headers: AnswerHeaders, text: string): void {
  headers['content-type'] ??= json
  headers['cache-control'] ??= 'no-store'
  sendText(ctx, status, headers, text)
}

function isUnchanged(ctx: RequestContext, headers: AnswerHeaders, version: string): boolean {
  const etag = localiseEtag(version, ctx.locale)
  headers['etag'] = etag
  // Bodies of one version differ: bare and wrapped, and by language.
  addVary(headers, 'Prefer')
  addVary(headers, 'Accept-Language')
  return ctx.isFresh(etag)
}

function sendRaw(
  ctx: RequestContext,
  { status, stands }: Reply,
  headers: AnswerHeaders,
  { content, contentType, trailers }: Extract<ReplyBody, { kind: 'raw' }>,
): void | Promise<void> {
  headers['content-type'] = contentType
  headers['content-security-policy'] ??= filePolicy
  if (ctx.state.principal) headers['cache-control'] ??= 'no-store'
  if (status === 304 && stands !== undefined) ctx.server.standing.keep(ctx, headers, stands)
  if (content instanceof Readable) return sendStream(ctx, status, headers, content, trailers)
  sendText(ctx, status, headers, content)
}
