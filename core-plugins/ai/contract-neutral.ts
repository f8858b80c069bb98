/** Where a picture or a file is: elsewhere, in the request itself, or with the vendor that it was sent to. */
export type MediaSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'data'; readonly mediaType: string; readonly base64: string }
  | { readonly kind: 'file_id'; readonly id: string }

/**
 * One part of a message. `cache` is Anthropic's `cache_control`, carried as it is. `arguments` of a call is JSON text. Reasoning, and the
 * `signature` of a call, mean something to the vendor that made them, and nothing to others.
 */
export type NeutralPart =
  | { readonly type: 'text'; readonly text: string; readonly cache?: unknown }
  | { readonly type: 'image'; readonly source: MediaSource; readonly detail?: string; readonly cache?: unknown }
  | { readonly type: 'audio'; readonly base64: string; readonly format: string }
  | { readonly type: 'file'; readonly source: MediaSource; readonly name?: string; readonly cache?: unknown }
  | NeutralToolCall
  | NeutralToolResult
  | NeutralReasoning
  | { readonly type: 'refusal'; readonly text: string }

/** A call that the model asks for. */
export interface NeutralToolCall {
  readonly type: 'tool_call'
  readonly id: string
  readonly name: string
  readonly arguments: string
  readonly signature?: string
  readonly cache?: unknown
}

/** What a call came to. */
interface NeutralToolResult {
  readonly type: 'tool_result'
  readonly callId: string
  readonly parts: readonly NeutralPart[]
  readonly isError?: boolean
  readonly cache?: unknown
}

/** What a model thought: its words, the vendor's seal over them, or only what the vendor can read. */
export interface NeutralReasoning {
  readonly type: 'reasoning'
  readonly vendor: string
  readonly id?: string
  readonly text?: string
  readonly signature?: string
  readonly encrypted?: string
}

/** One message of a conversation. */
export interface NeutralMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly parts: readonly NeutralPart[]
  readonly name?: string
}

/** A function that the model may call; `schema` is JSON Schema. */
export interface NeutralTool {
  readonly name: string
  readonly description?: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly strict?: boolean
  readonly cache?: unknown
}

/** The form that an answer must have. */
export type NeutralFormat =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly name: string
      readonly schema: unknown
      readonly strict?: boolean
      readonly description?: string
    }

/** How much the model is to think. */
export interface NeutralThinking {
  readonly effort?: string
  readonly budgetTokens?: number
  readonly summary?: string
  readonly off?: boolean
}

/** What a client sent, as it was: a vendor of the same wire takes over what nobody changed since. */
interface WireSource {
  readonly wire: string
  readonly body: Readonly<Record<string, unknown>>
  readonly messages: readonly NeutralMessage[]
  readonly tools: readonly NeutralTool[] | undefined
  /** Headers that belong to the wire, such as `anthropic-beta`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One request to a model, in the form that every dialect is read into and every vendor's is made of. */
export interface NeutralRequest {
  readonly model: string
  readonly messages: readonly NeutralMessage[]
  readonly tools?: readonly NeutralTool[]
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string }
  readonly parallelToolCalls?: boolean
  readonly format?: NeutralFormat
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly stop?: readonly string[]
  readonly seed?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  readonly logprobs?: boolean
  readonly topLogprobs?: number
  readonly reasoning?: NeutralThinking
  readonly user?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly stream: boolean
  /** Whether the client of a stream wants to see the usage. */
  readonly includeUsage: boolean
  /** Body fields that the dialect does not name: for vendors of its own wire, dropped and listed elsewhere. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Absent where the request was not read from a client's body. */
  readonly source?: WireSource
}

/** Tokens of one answer; input includes what was cached and written to the cache, output includes reasoning. */
export interface NeutralUsage {
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly cacheWriteTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
}

/** Why an answer ended. */
export type FinishReason =
  'stop' | 'length' | 'tool_calls' | 'content_filter' | 'stop_sequence' | 'refusal' | 'pause' | 'quota'

/**
 * One step of an answer. The first `tool_call` of an index has id and name. A `frame` is the vendor's own event (or whole answer), for a
 * client that speaks the same wire: it comes before the steps that were read from it, which that client is not told again.
 */
export type NeutralEvent =
  | { readonly type: 'start'; readonly id: string; readonly model: string }
  | { readonly type: 'text'; readonly text: string; readonly logprobs?: unknown }
  | NeutralReasoningEvent
  | { readonly type: 'refusal'; readonly text: string }
  | NeutralToolCallEvent
  | { readonly type: 'usage'; readonly usage: NeutralUsage }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly stopSequence?: string }
  | { readonly type: 'frame'; readonly wire: string; readonly event?: string; readonly data: string }

/** A piece of a thought; `done` ends the thought, and what follows is another one. */
export interface NeutralReasoningEvent extends Omit<NeutralReasoning, 'type'> {
  readonly type: 'reasoning'
  readonly done?: boolean
}

/** A piece of a call. */
export interface NeutralToolCallEvent {
  readonly type: 'tool_call'
  readonly index: number
  readonly id?: string
  readonly name?: string
  readonly arguments?: string
  readonly signature?: string
}

/** A whole answer; `frame` is the vendor's own, for a client that speaks the same wire. */
export interface NeutralAnswer {
  readonly id: string
  readonly model: string
  readonly parts: readonly NeutralPart[]
  readonly finish: FinishReason
  readonly stopSequence?: string
  readonly logprobs?: unknown
  readonly usage: NeutralUsage | undefined
  readonly frame?: { readonly wire: string; readonly data: string }
}

/** Texts, or texts as tokens, to be turned into vectors. */
export interface NeutralEmbeddingRequest {
  readonly model: string
  readonly input: readonly (string | readonly number[])[]
  readonly dimensions?: number
  readonly user?: string
  readonly extra: Readonly<Record<string, unknown>>
}

/** One vector for each text, in their order. */
export interface NeutralEmbeddings {
  readonly vectors: readonly (readonly number[])[]
  readonly usage: NeutralUsage | undefined
}
