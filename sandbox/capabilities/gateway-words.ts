import type { Json } from './json.ts'

/**
 * What the gateway wants of a provider: an answer, or its list of models. `body` is that of OpenAI's `POST /chat/completions`, with the
 * model as the provider names it, the limit of output that is paid for, and `stream`.
 */
export type ProviderWish =
  | { readonly kind: 'chat'; readonly stream: boolean; readonly body: { readonly [field: string]: Json | undefined } }
  | { readonly kind: 'models' }

/** What the gateway wants of a provider that makes vectors of texts; `body` is that of OpenAI's `POST /embeddings`. */
export interface EmbeddingsWish {
  readonly kind: 'embeddings'
  readonly body: {
    /** As the provider names it. */
    readonly model: string
    readonly input: readonly (string | readonly number[])[]
    readonly dimensions?: number
  }
}

/**
 * A step of an answer. `finish` says that it is whole: one that ends without is taken for broken off. The first `tool_call` of an index
 * has id and name; `arguments` are pieces of JSON text. Tokens that are not told are counted.
 */
export type ProviderDelta =
  | { readonly type: 'start'; readonly id?: string; readonly model?: string }
  | { readonly type: 'text' | 'reasoning' | 'refusal'; readonly text: string }
  | {
      readonly type: 'tool_call'
      readonly index: number
      readonly id?: string
      readonly name?: string
      readonly arguments?: string
    }
  | {
      readonly type: 'usage'
      /** With what was cached and written to the cache. */
      readonly inputTokens: number
      /** With reasoning. */
      readonly outputTokens: number
      readonly cachedInputTokens?: number
      readonly cacheWriteTokens?: number
      readonly reasoningTokens?: number
    }
  | { readonly type: 'finish'; readonly reason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'refusal' }
  /** The provider's own error within an answer; `class` as `error` answers it. */
  | { readonly type: 'error'; readonly class: string; readonly message?: string }

/** A place in a text to be masked, counted in UTF-16 units as JavaScript counts them; `end` is behind the last one. */
export interface MaskedRange {
  readonly start: number
  readonly end: number
}

/** What a guardrail says of texts. `reason` is a short word such as `card_number`; the caller is told it, and never the text. */
export type GuardrailVerdict<Range = MaskedRange> =
  | { readonly verdict: 'allow' }
  | { readonly verdict: 'block'; readonly reason: string }
  | { readonly verdict: 'mask'; readonly reason?: string; readonly ranges: readonly Range[] }

/** One of the texts that a guardrail is asked about. */
interface GuardedText {
  /** Who says it: `system`, `developer`, `user`, `assistant` or `tool`. */
  readonly role: string
  readonly text: string
}

/** Texts of one request or answer: some 256 KB at once, longer ones in pieces that overlap. */
export interface GuardedTexts {
  readonly model: string
  readonly texts: readonly GuardedText[]
}

/** A target that takes the request, as a router sees it. */
export interface RouterCandidate {
  /** As the route names it. */
  readonly id: string
  readonly model: string
  readonly tier: number
  /** As the route has it, and the share of its tier that it would get. */
  readonly weight: number
  readonly share: number
  readonly inFlight: number
  /** Of good answers, 0 to 1. */
  readonly success: number
  /** Milliseconds to the first token of a stream, for each token else; `null` while unknown. */
  readonly paceMs: number | null
  /** Micro-units of the platform's currency for a million tokens in and a million out; `null` while unknown. */
  readonly price: number | null
  readonly contextWindow: number | null
}

/** What is known of a request without a word of it. */
export interface RoutedRequest {
  readonly model: string
  readonly inputTokens: number
  readonly maxOutputTokens: number
  readonly stream: boolean
  readonly hasTools: boolean
}
