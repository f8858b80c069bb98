import { AppError } from '#kernel'
import type { AttemptRow, Hold } from '../../ai-ledger/contract.ts'
import { lateness, outputOf, timeoutsOf } from './attempt-bounds.ts'
import { askRouter } from './ask-router.ts'
import type { Attempt, AttemptParts } from './attempt-parts.ts'
import type { AiEvent } from '../contract.ts'
import type { RunAbout, RunResult } from './call.ts'
import { presentAttempt, recordOf } from './attempt-record.ts'
import { endedRecord, resultOf } from './ended-record.ts'
import type { AttemptRecord } from './call-record.ts'
import { asFault, endOf, errorOf, isRetried, type AttemptFault } from './fault.ts'
import { fitRequest } from './model-params.ts'
import type { Going } from './going.ts'
import { goingOn, type Said } from './going-on.ts'
import { boundsOf, markupFor, wishOf, type Leg, type Plan, type PlannedCall } from './plan.ts'
import type { RunParts } from './run-parts.ts'
import { runHeaders, withHeaders } from './run-headers.ts'
import { rowOf } from './settlement.ts'
import type { Target } from '../routing/target.ts'
import { TargetWalk, type Step } from './target-walk.ts'

/** One call from its hold to its settlement, over all its attempts. */
export class Run {
  readonly #parts: RunParts
  readonly #call: PlannedCall
  readonly #plan: Plan
  readonly #hold: Hold
  readonly #walk: TargetWalk
  readonly #at = new Date()
  readonly #begun = performance.now()
  readonly #rows: AttemptRow[] = []
  readonly #attempts: AttemptRecord[] = []
  #leg: Leg | undefined
  #dropped: readonly string[] = []
  #going: Attempt | undefined
  #ttftMs: number | undefined
  #isOver = false
  /** What the route's router took in the sandbox, in milliseconds of CPU. */
  #routerMs = 0
  /** What was said before an attempt broke off, for whoever goes on, and about as many tokens. */
  #said: Said | undefined
  /** Whoever hears the answer stops it, later than at once. */
  drains = false
  /** A target has said something. */
  #isAnswering = false
  /** Failovers that nobody was told of yet. */
  readonly switches: AiEvent[] = []

  constructor(parts: RunParts, call: PlannedCall, plan: Plan, hold: Hold) {
    this.#parts = parts
    this.#call = call
    this.#plan = plan
    this.#hold = hold
    const { table, gateway, random } = parts
    const refuses = (target: Target): string | undefined => lateness(target, gateway, this.#spentMs)
    const wish = { ...wishOf(call.request, plan, call.sticky), refuses }
    const order = async (): Promise<readonly string[] | undefined> => {
      const said = await askRouter(parts.routers, { plan, call, wish, table })
      this.#routerMs = said?.cpuMs ?? 0
      return said?.order
    }
    this.#walk = new TargetWalk({ table, gateway, plan, wish, signal: call.signal, random, order })
    call.signal.addEventListener('abort', this.#gone, { once: true })
  }

  get hold(): Hold {
    return this.#hold
  }

  /** Nobody waits any more. */
  get isForsaken(): boolean {
    return this.#call.signal.aborted
  }

  get about(): RunAbout {
    const leg = this.#leg ?? this.#plan.legs[0]
    const about = {
      requestId: this.#hold.requestId,
      ...{ model: leg?.model.name ?? this.#plan.model.name, provider: leg?.provider.code ?? '' },
      ...{ attempts: this.#walk.steps, route: this.#plan.route?.name, dropped: this.#dropped, isCached: false },
    }
    return { ...about, headers: runHeaders(about, this.#hold, this.#call.guard?.findings) }
  }

  get result(): RunResult | undefined {
    if (!this.#isOver) return undefined
    const about = { attempts: this.#walk.steps, provider: this.#leg?.provider.code ?? '' }
    return resultOf(this.#rows, about, this.#said !== undefined)
  }

  /** Goes from target to target until one answers; throws what the client is told. Each attempt is opened by `open`. */
  async answer<A extends Attempt>(
    make: (parts: AttemptParts) => A,
    open: (attempt: A) => Promise<void>,
  ): Promise<Going<A>> {
    for (;;) {
      this.#call.signal.throwIfAborted()
      const step = await this.#walk.next(() => ({ attempts: this.#attempts.map(presentAttempt) }))
      const going = this.#begin(step, make)
      try {
        await open(going.attempt)
        this.#call.signal.throwIfAborted()
        this.#isAnswering = true
        return going
      } catch (error) {
        this.#failed(going, error)
      }
    }
  }

  get continues(): boolean {
    return this.#plan.continues
  }

  /** Whether an answer that breaks off here may be gone on with. */
  mayGoOn({ text, tokens }: Said): boolean {
    return this.#plan.continues && this.#said === undefined && text.trim() !== '' && tokens < this.#plan.maxOutputTokens
  }

  /** Turns from a target that broke off: whoever answers next goes on with what was said. */
  turnFrom({ leg }: Step, fault: AttemptFault, said: Said): void {
    this.#said = said
    this.#walk.brokeOff(leg, fault)
  }

  /** Settles and lets go; the first time counts. */
  over(outcome: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#call.signal.removeEventListener('abort', this.#gone)
    const last = this.#rows.pop()
    const besideMs = Math.ceil((this.#call.guard?.cpuMs ?? 0) + this.#routerMs)
    if (last) this.#rows.push(besideMs > 0 ? { ...last, sandboxMs: (last.sandboxMs ?? 0) + besideMs } : last)
    this.#hold.end(this.#rows)
    this.#call.settled?.(this.result)
    this.#parts.ended(
      endedRecord(this.#call, this.#plan, {
        ...{ requestId: this.#hold.requestId, at: this.#at, outcome, rows: this.#rows, attempts: this.#attempts },
        ...{ fallback: this.#walk.fallback, durationMs: this.#spentMs, ttftMs: this.#ttftMs },
      }),
    )
  }

  /** An error as it ends the call: what settles is done here. */
  fail(error: unknown): unknown {
    const isGone = this.#call.signal.aborted
    this.over(isGone ? 'client_abort' : error instanceof AppError ? error.reason : 'internal')
    return error instanceof AppError && this.#walk.steps > 0 ? withHeaders(error, this.about.headers) : error
  }

  /** A fault after the first token, as the client is told. */
  interrupted(fault: AttemptFault): AppError {
    return errorOf(fault, { attempts: this.#attempts.map(presentAttempt), partial: true }, true)
  }

  readonly #gone = (): void => {
    if (!this.drains || !this.#isAnswering) this.#going?.stop()
  }

  #begin<A extends Attempt>(step: Step, make: (parts: AttemptParts) => A): Going<A> {
    const { leg, routed } = step
    const { connection } = this.#parts
    const said = this.#said
    const fitted = fitRequest(said ? goingOn(this.#call.request, said) : this.#call.request, leg.model)
    const cost = { sandboxMs: 0 }
    const { traceId, spender } = this.#call
    const parts: AttemptParts = {
      ...{ connection, provider: leg.provider, model: leg.model, request: fitted.request },
      ...{
        maxOutputTokens: outputOf(leg, this.#plan.maxOutputTokens - (this.#said?.tokens ?? 0)),
        timeouts: timeoutsOf(leg, this.#parts.gateway, this.#spentMs),
        wire: this.#wire,
      },
      ...{ traceId, tenantId: spender.tenantId, spent: (cpuMs) => void (cost.sandboxMs += cpuMs) },
    }
    if (this.#walk.steps > 1) this.#tellSwitch(leg)
    this.#leg = leg
    const attempt = make(parts)
    this.#going = attempt
    const [at, begun, number] = [new Date(), performance.now(), this.#walk.steps]
    let isOver = false
    return {
      ...{ attempt, step, parts },
      end: (ending, known, result, fault) => {
        if (isOver) return
        isOver = true
        const durationMs = performance.now() - begun
        this.#dropped = [...fitted.dropped, ...attempt.dropped]
        routed.end({ ...result, durationMs, outputTokens: known.reported?.outputTokens ?? known.counted })
        this.#ttftMs ??= known.ttftMs
        // What was never sent is no attempt.
        if (ending === undefined && !fault) return
        this.#attempts.push(recordOf(step, ending, known, durationMs, fault))
        if (ending === undefined) return
        const { size } = this.#plan
        if (known.reported && !said) this.#parts.experience.note(leg, size, known.reported.inputTokens)
        this.#rows.push(
          rowOf({
            ...{ attempt: number, at, model: leg.model, provider: leg.provider, ending, reported: known.reported },
            images: size.images,
            counted: { input: Math.min(size.about, size.atMost) + (said?.tokens ?? 0), output: known.counted },
            bounds: { input: size.atMost + (said ? this.#plan.maxOutputTokens : 0), output: parts.maxOutputTokens },
            markup: markupFor(leg.model, this.#plan),
            ...{ ttftMs: known.ttftMs, durationMs, stream: this.#call.request.stream, ...cost },
          }),
        )
      },
    }
  }

  /** Ends an attempt that gave nothing; throws where no other is to be made. */
  #failed<A extends Attempt>(going: Going<A>, error: unknown): void {
    const { attempt, step } = going
    if (this.#call.signal.aborted) {
      going.end(attempt.hasSent ? 'aborted_before_first_token' : undefined, { counted: 0 }, { end: 'neutral' })
      throw this.#call.signal.reason
    }
    if (error instanceof AppError) {
      going.end(undefined, { counted: 0 }, { end: 'neutral' })
      return this.#walk.cannotCarry(step.leg, error)
    }
    const fault = asFault(error)
    const ending = attempt.hasSent && fault.mayCost ? 'failed_after_sending' : undefined
    going.end(ending, { counted: 0 }, { end: endOf(fault), retryAfterMs: fault.retryAfterMs }, fault)
    this.#walk.failed(step.leg, fault)
    if (isRetried(fault, this.#parts.gateway.retry.on) && this.#mayFailOver) return
    if (this.#walk.fallBack([fault.class])) return
    const size = fault.class === 'context_length' && boundsOf(step.leg, this.#plan)
    throw errorOf(fault, { attempts: this.#attempts.map(presentAttempt), ...size }, false)
  }

  /** What a provider says itself no guardrail would see. */
  get #wire(): string | undefined {
    return this.#call.guard?.seesAnswers ? undefined : this.#call.wire
  }

  get #spentMs(): number {
    return performance.now() - this.#begun
  }

  get #mayFailOver(): boolean {
    return !this.#call.request.stream || this.#parts.gateway.stream.failoverBeforeFirstToken
  }

  #tellSwitch(to: Leg): void {
    const reason = this.#attempts.at(-1)?.class ?? ''
    const [from, attempt, committed] = [this.#leg?.id ?? '', this.#walk.steps, this.#said !== undefined]
    this.switches.push({ type: 'switched', from, to: to.id, reason, attempt, committed })
  }
}
