import type { IncomingHttpHeaders } from 'node:http'
import type { RequestRecord } from './lanes.ts'

/** What a client asks for, whatever the wire. */
export interface Asked {
  readonly model: string
  readonly stream: boolean
  /** The last thing that the user, or a tool, said. */
  readonly text: string
  readonly images: readonly string[]
  readonly hasResult: boolean
  readonly tools: readonly string[]
  readonly mustCall: boolean
  readonly thinks: boolean
  readonly maxTokens: number | undefined
  readonly stop: readonly string[]
  /** Whether a stream shall report its usage. */
  readonly wantsUsage: boolean
  /** Of all texts, for counting. */
  readonly inputTokens: number
}

/** One piece of an answer. */
export type Piece =
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly arguments: string }

/** What is answered, whatever the wire. */
export interface Plan {
  readonly id: string
  readonly model: string
  readonly pieces: readonly Piece[]
  readonly finish: 'stop' | 'length' | 'calls'
  readonly usage: { readonly input: number; readonly output: number; readonly thoughts: number } | undefined
}

/** An answer that does not stream, or a refusal. */
export interface Whole {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** One vendor's wire format, from its published reference. */
export interface Wire {
  serves(path: string, headers: IncomingHttpHeaders): boolean
  /** What is no request for an answer: lists, embeddings, counts, refusals; undefined where it is one. */
  other(record: RequestRecord): Whole | undefined
  read(record: RequestRecord): Asked
  whole(plan: Plan): unknown
  /** The frames of a stream: what opens it, one list for each piece, and what ends it. */
  frames(
    plan: Plan,
    asked: Asked,
  ): { open: readonly string[]; pieces: readonly (readonly string[])[]; close: readonly string[] }
  /** The vendor's error body for a status, and how it looks within a stream. */
  error(status: number): { body: unknown; frame: string }
}
