import { createHmac } from 'node:crypto'
import {
  AppError,
  IdempotencyMismatchError,
  ParamsInvalidError,
  RequestInProgressError,
  type FieldError,
} from '../errors.ts'
import type { SecretBox } from '../data/secret-box.ts'
import type { IdempotencyClaim, IdempotencyStore } from './idempotency-store.ts'
import { Reply } from './reply.ts'
import type { RequestContext } from './request-context.ts'
import type { Route } from './route.ts'

/** An answer as it is kept, to be given again. */
type Kept =
  | {
      readonly kind: 'data' | 'bare'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
    }
  | {
      readonly kind: 'error'
      readonly code: number
      readonly reason: string
      readonly template: string
      readonly values: Readonly<Record<string, string | number>>
      readonly errors?: readonly FieldError[]
      readonly details?: Readonly<Record<string, unknown>>
    }

/** Whether a route honours the header; an upload passes through unread, so nobody could tell whether it is the same again. */
export function honoursIdempotencyKey({ method, auth = 'user', idempotent = true, accepts = [] }: Route): boolean {
  return method === 'post' && auth !== 'none' && idempotent && !accepts.includes('multipart')
}

/** The Idempotency-Key a request brings, if any. */
export function idempotencyKey({ request: { headers } }: RequestContext): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,128}$/.test(key)) return key
  throw new ParamsInvalidError({
    errors: [{ field: 'Idempotency-Key', rule: 'pattern', message: 'must be 1 to 128 printable characters' }],
  })
}

/** Runs a handler at most once for a key: the same request again gets the first answer, another one is refused. */
export async function runOnce(
  ctx: RequestContext,
  key: string,
  route: string,
  store: IdempotencyStore,
  secrets: SecretBox,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const { tenantId, userId } = ctx.principal
  const claim: IdempotencyClaim = { tenantId, userId, route, key, fingerprint: fingerprintOf(ctx, secrets) }
  const before = await store.claim(claim)
  if (before) return replay(ctx, claim, before, secrets)
  try {
    const value = await run()
    await close(keep(value, ctx.handlerHeaders))
    return value
  } catch (error) {
    await close(keepError(error))
    throw error
  }

  /** What was done is done and its answer goes out, whether or not it can be kept. */
  async function close(kept: Kept | undefined): Promise<void> {
    try {
      if (kept) await store.settle(claim, secrets.seal(JSON.stringify(kept)))
      else await store.release(claim)
    } catch (error) {
      ctx.log.error({ err: error }, 'the answer to an Idempotency-Key is not kept')
    }
  }
}

function replay(
  ctx: RequestContext,
  claim: IdempotencyClaim,
  { fingerprint, answer }: { fingerprint: string; answer: string | undefined },
  secrets: SecretBox,
): Reply {
  if (fingerprint !== claim.fingerprint) throw new IdempotencyMismatchError()
  if (answer === undefined) throw new RequestInProgressError({ headers: { 'retry-after': '1' } })
  const kept = JSON.parse(secrets.open(answer)) as Kept
  ctx.pipelineHeaders['idempotent-replayed'] = 'true'
  if (kept.kind === 'error') throw new AppError(kept.code, kept.reason, kept.template, kept.values, kept)
  const { kind, status, headers, text } = kept
  if (kind === 'data') return new Reply({ kind: 'json-text', text }, status, headers)
  return new Reply({ kind: 'bare', value: JSON.parse(text) as unknown }, status, headers)
}

/** Streams and bytes are not kept: their second run is the caller's choice. */
function keep(value: unknown, headers: Readonly<Record<string, string>>): Kept | undefined {
  if (!(value instanceof Reply)) return { kind: 'data', status: 200, headers, text: textOf(value) }
  const { body, status } = value
  const all = { ...headers, ...value.headers }
  if (body.kind === 'data') return { kind: 'data', status, headers: all, text: textOf(body.data) }
  if (body.kind === 'json-text') return { kind: 'data', status, headers: all, text: body.text }
  if (body.kind === 'bare') return { kind: 'bare', status, headers: all, text: textOf(body.value) }
  return undefined
}

/** Failures that may pass by themselves are not kept. */
function keepError(error: unknown): Kept | undefined {
  if (!(error instanceof AppError) || error.status >= 500 || error.status === 409 || error.status === 429)
    return undefined
  const { code, reason, template, values, errors, details } = error
  return { kind: 'error', code, reason, template, values, ...(errors && { errors }), ...(details && { details }) }
}

function textOf(value: unknown): string {
  return JSON.stringify(value ?? null)
}

/** With a key: a body may hold a password, and its plain hash would be a quick way to guess it. */
function fingerprintOf({ path, search, rawBody }: RequestContext, secrets: SecretBox): string {
  return createHmac('sha256', secrets.derive('kernel.idempotency'))
    .update(`${path}?${search}\n`)
    .update(rawBody ?? '')
    .digest('base64url')
}
