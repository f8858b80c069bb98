import type { Ctx } from './ctx.ts'
import type { Db } from './database.ts'
import type {
  GuardedTexts,
  GuardrailVerdict,
  MaskedRange,
  RoutedRequest,
  RouterCandidate,
} from '../capabilities/gateway-words.ts'
import type { Json } from '../capabilities/json.ts'

/** A value that may be waited for. */
type Awaitable<Value> = Promise<Value> | Value

/** Judges what a model is asked, or its whole answer: 200 ms unless the manifest or the gateway's settings say otherwise. `ctx.ai` is absent. */
export type AiGuardrailText = (
  input: GuardedTexts,
  ctx: Ctx,
  db: Db,
) => Awaitable<GuardrailVerdict<MaskedRange & { readonly index: number }>>

/**
 * Judges an answer while it streams. Nothing of `text` was sent yet; after a good word all of it is but the last characters, as many as
 * the manifest holds back, which begin the next `text`. `state` comes back with it, `null` at first; `final` says that nothing follows.
 */
export type AiGuardrailStream = (
  input: { readonly model: string; readonly text: string; readonly final: boolean; readonly state: Json },
  ctx: Ctx,
  db: Db,
) => Awaitable<GuardrailVerdict & { readonly state?: Json }>

/**
 * Puts targets in an order: the first that still takes the request gets it, those that are not named come last, as the route's own
 * strategy has them. Pure: no capability is there. 5 ms of CPU; one that fails or takes longer is not heard.
 */
export type AiRouter = (
  input: { readonly request: RoutedRequest; readonly candidates: readonly RouterCandidate[] },
  ctx: Ctx,
  db: Db,
) => Awaitable<{ readonly order: readonly string[] }>
