import type { AppError } from '#kernel'
import type { AttemptRow, Purpose, Spender } from '../../ai-ledger/contract.ts'
import type { AiEvent } from '../contract.ts'
import type { NeutralAnswer, NeutralRequest, NeutralUsage } from '../wire/neutral.ts'

/** A call of a model. */
export interface RelayCall {
  readonly spender: Spender
  readonly purpose: Purpose
  readonly request: NeutralRequest
  /** Aborted: nobody waits any more, and the provider's connection is closed at once. */
  readonly signal: AbortSignal
  readonly traceId: string
  /** The wire of the client: a provider of the same one is passed through, frame by frame. */
  readonly wire?: string | undefined
  /** `continue`: a stream that breaks off in the middle of prose is gone on with by the next target, once. */
  readonly afterFirstToken?: 'terminate' | 'continue' | undefined
  /** Calls of one key go to one target where the route is `sticky`. */
  readonly sticky?: string | undefined
  /** Why a model must not be used, by its name: an allow-list of a key. */
  readonly mayUse?: ((model: string) => boolean) | undefined
  /** Seconds for which an equal answer may be taken from the cache, as the client asks; 0 is never. */
  readonly maxAgeSeconds?: number | undefined
  /** Told once it is held for, before any target is asked. */
  readonly admitted?: (() => void) | undefined
  /** Told once, however a call that was let in ends: what it took, and undefined where nothing reached a provider. */
  readonly settled?: ((result: RunResult | undefined) => void) | undefined
}

/** What whoever answers may say of a call: in headers before the first byte, in an event later. */
export interface RunAbout {
  readonly requestId: string
  readonly model: string
  readonly provider: string
  readonly attempts: number
  readonly route: string | undefined
  readonly dropped: readonly string[]
  readonly isCached: boolean
  /** `x-ai-*` and `x-ratelimit-*`. */
  readonly headers: Readonly<Record<string, string>>
}

/** Takes a stream in batches; nothing comes after `end` and `fail`. */
export interface RelaySink {
  /** Answers false when no more is to come until `resume` is called. */
  events(events: readonly AiEvent[]): boolean
  /** Nothing is said yet, or for a while: something must go out so that nobody cuts the connection. */
  waiting(): void
  end(): void
  fail(error: AppError): void
}

/** A stream that is under way. */
export interface RelayStream {
  /** To be called once, at once. */
  flow(sink: RelaySink): void
  /** The sink takes more again. */
  resume(): void
}

/** How a call ended. */
export interface RunResult {
  readonly usage: NeutralUsage
  readonly costNano: bigint
  readonly source: AttemptRow['source']
  readonly attempts: number
  readonly model: string
  readonly provider: string
}

/** A call that is being answered: whole, or as a stream. */
export interface RelayRun {
  /** As it stands now; after an early start the target is not known yet. */
  readonly about: RunAbout
  readonly answer: NeutralAnswer | undefined
  readonly stream: RelayStream | undefined
  /** Undefined until it is over. */
  readonly result: RunResult | undefined
}
