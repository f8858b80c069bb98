import { createHmac } from 'node:crypto'
import {
  IdempotencyMismatchError,
  ParamsInvalidError,
  RequestInProgressError,
  RequestOutcomeUnknownError,
} from '../errors.ts'
import type { SecretBox } from '../data/secret-box.ts'
import type { EarlierRequest, IdempotencyClaim, IdempotencyStore } from './idempotency-store.ts'
import { isLeft } from './body.ts'
import { giveAgain, keepError, keepValue, type KeptAnswer } from './kept-answer.ts'
import type { Reply } from './reply.ts'
import type { RequestContext } from './request-context.ts'
import type { Route } from './route.ts'

/** Whether a route honours the header. */
export function honoursIdempotencyKey({ method, auth = 'user', idempotent = true, accepts = [] }: Route): boolean {
  return method === 'post' && auth !== 'none' && idempotent && (accepts.length === 0 || !accepts.every(isLeft))
}

/** The Idempotency-Key a request brings, if any; an upload passes through unread, so nobody could tell whether it is the same again. */
export function idempotencyKey({ request: { headers }, isBodyLeft }: RequestContext): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || isBodyLeft) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,128}$/.test(key)) return key
  throw new ParamsInvalidError({
    errors: [{ field: 'Idempotency-Key', rule: 'pattern', message: 'must be 1 to 128 printable characters' }],
  })
}

/**
 * Runs a handler at most once for a key: the same request again gets the first answer, another one is refused. The key is
 * taken, and that committed, before the handler runs; only what is known to have done nothing gives it back.
 */
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
  // Whoever sends a key asks again after a lost connection, and shall find the answer and no half of the work.
  ctx.outlivesCaller = true
  const vouched = store.vouch(claim)
  try {
    const value = await run()
    await close(keepValue(value, ctx.handlerHeaders))
    return value
  } catch (error) {
    await close(keepError(error))
    throw error
  } finally {
    vouched[Symbol.dispose]()
  }

  /** What was done is done and its answer goes out, whether or not it can be kept: without it the key's request counts as lost. */
  async function close(kept: KeptAnswer | undefined): Promise<void> {
    try {
      // Given back once at most: a second time might take it from whoever took it in between.
      if (!kept) return await store.release(claim)
      const text = secrets.seal(JSON.stringify(kept))
      // Once more, on another connection, where it was only the connection that was lost.
      await store.settle(claim, text).catch(() => store.settle(claim, text))
    } catch (error) {
      ctx.log.error({ err: error }, 'the answer to an Idempotency-Key is not kept')
    }
  }
}

function replay(ctx: RequestContext, claim: IdempotencyClaim, before: EarlierRequest, secrets: SecretBox): Reply {
  const { fingerprint, answer, isLost } = before
  if (fingerprint !== claim.fingerprint) throw new IdempotencyMismatchError()
  if (answer === undefined && isLost) throw new RequestOutcomeUnknownError()
  if (answer === undefined) throw new RequestInProgressError({ headers: { 'retry-after': '1' } })
  ctx.pipelineHeaders['idempotent-replayed'] = 'true'
  return giveAgain(JSON.parse(secrets.open(answer)) as KeptAnswer)
}

/** With a key: a body may hold a password, and its plain hash would be a quick way to guess it. */
function fingerprintOf({ path, search, rawBody }: RequestContext, secrets: SecretBox): string {
  return createHmac('sha256', secrets.derive('kernel.idempotency'))
    .update(`${path}?${search}\n`)
    .update(rawBody ?? '')
    .digest('base64url')
}
