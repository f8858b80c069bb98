import type { IncomingMessage } from 'node:http'
import { MalformedBodyError, PayloadTooLargeError, UnsupportedMediaTypeError } from '../errors.ts'
import { decodeUtf8, parseJsonBody } from './json-body.ts'
import type { RequestContext } from './request-context.ts'
import type { BodyKind } from './route.ts'
import { parseUrlEncoded } from './url-encoded.ts'

/** JSON bodies end here unless the route says otherwise. */
export const jsonBytes = 1024 * 1024
const formBytes = 64 * 1024

/** Media types of each kind, the plain one first. */
const acceptedTypes: Readonly<Record<BodyKind, readonly [string, ...string[]]>> = {
  json: ['application/json', 'application/*+json'],
  form: ['application/x-www-form-urlencoded'],
  multipart: ['multipart/form-data'],
  offset: ['application/offset+octet-stream'],
  file: ['application/octet-stream', '*/*'],
}

/** Reads a body of one of the kinds a route takes and tells which came; what is no text is left to the handler. */
export async function readBody(
  ctx: RequestContext,
  accepts: readonly BodyKind[],
  maxJsonBytes: number,
): Promise<BodyKind | undefined> {
  const { request } = ctx
  if (!hasBody(request)) return undefined
  const kind = bodyKind(ctx, accepts)
  if (isLeft(kind)) return kind
  const bytes = await readBytes(request, kind === 'json' ? maxJsonBytes : formBytes)
  ctx.rawBody = bytes
  if (bytes.length > 0) ctx.body = kind === 'json' ? parseJsonBody(bytes) : parseForm(bytes)
  return kind
}

/** Whether the handler reads a body of this kind itself. */
export function isLeft(kind: BodyKind | undefined): boolean {
  return kind === 'multipart' || kind === 'offset' || kind === 'file'
}

/** Whether a request came as a form, the way OAuth 2 clients ask for tokens. */
export function isForm({ koa }: RequestContext): boolean {
  return Boolean(koa.is(acceptedTypes.form[0]))
}

function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return headers['content-length'] !== undefined && headers['content-length'] !== '0'
}

function bodyKind({ koa, request }: RequestContext, accepts: readonly BodyKind[]): BodyKind {
  const kind = accepts.find((candidate) => koa.is([...acceptedTypes[candidate]]))
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (kind === undefined || encoding !== 'identity') {
    const expected = accepts.map((candidate) => acceptedTypes[candidate][0]).join(', ')
    throw new UnsupportedMediaTypeError({ expected: encoding === 'identity' ? expected : 'an uncompressed body' })
  }
  const { charset } = koa.request
  if (kind !== 'file' && charset !== '' && !/^utf-?8$/i.test(charset)) throw new MalformedBodyError()
  return kind
}

function parseForm(bytes: Buffer): unknown {
  try {
    return parseUrlEncoded(decodeUtf8(bytes))
  } catch (cause) {
    throw new MalformedBodyError({ cause })
  }
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new PayloadTooLargeError({ limit })
  const chunks: Buffer[] = []
  let size = 0
  const take = (chunk: Buffer): void => {
    size += chunk.length
    chunks.push(chunk)
    if (size <= limit) return
    request.off('data', take)
    chunks.length = 0
    reject(new PayloadTooLargeError({ limit }))
  }
  request.on('data', take)
  request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
  request.once('error', (cause) => reject(new MalformedBodyError({ cause })))
  return promise
}
