import { AppError, InternalError } from '#kernel'
import type { StreamGuard } from '../guard/stream-guard.ts'
import { AnswerCollector } from '../wire/answer.ts'
import type { NeutralEvent } from '../wire/neutral.ts'
import type { RelayRun, RelaySink, RelayStream } from './call.ts'
import { candidateOf, type PlannedCall } from './plan.ts'
import { drain } from './drain.ts'
import type { AttemptEnding } from './settlement.ts'
import type { AttemptFault } from './fault.ts'
import type { Going } from './going.ts'
import { Prose, type Said } from './going-on.ts'
import type { Run } from './run.ts'
import type { StreamSettings } from './stream-settings.ts'
import { attempting, type AttemptListener, type StreamAttempt } from './stream-attempt.ts'

const abandoned = 'aborted_after_first_token'

/** A stream that is under way. */
export class StreamRun implements RelayRun, RelayStream, AttemptListener {
  readonly answer = undefined
  readonly #run: Run
  readonly #call: PlannedCall
  readonly #settings: StreamSettings<StreamRun>
  readonly #collector: AnswerCollector | undefined
  readonly #guard: StreamGuard | undefined
  #going: Going<StreamAttempt> | undefined
  #sink: RelaySink | undefined
  #error: unknown
  #isPaused = false
  #isOver = false
  readonly #prose: Prose | undefined
  /** Another target is looked for that goes on. */
  #isTurning = false
  #toldAt = performance.now()

  constructor(run: Run, call: PlannedCall, settings: StreamSettings<StreamRun>) {
    this.#run = run
    this.#call = call
    this.#settings = settings
    if (run.continues) this.#prose = new Prose()
    else if (settings.keep) this.#collector = new AnswerCollector()
    const listener = { let: this.#say, blocked: this.#blocked }
    run.drains = settings.drainMs > 0
    if (call.guard?.seesAnswers) this.#guard = call.guard.stream(listener)
  }

  get stream(): RelayStream {
    return this
  }

  get about(): RelayRun['about'] {
    return this.#run.about
  }

  get result(): RelayRun['result'] {
    return this.#run.result
  }

  /**
   * Resolves once something is said, and throws what the client is told; when that takes long it resolves without, so that the client is not
   * cut off by whoever stands between, and what fails then is told in the stream.
   */
  begin(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let isEarly = false
    const timer = setTimeout(() => {
      isEarly = true
      resolve()
    }, this.#settings.earlyCommitAfterMs)
    this.#open().then(
      (going) => {
        clearTimeout(timer)
        this.#opened(going)
        resolve()
      },
      (error: unknown) => {
        clearTimeout(timer)
        this.#isOver = true
        if (isEarly) this.#failed(error)
        else reject(error)
      },
    )
    return promise
  }

  flow(sink: RelaySink): void {
    this.#sink = sink
    this.#settings.open.add(this)
    if (this.#error !== undefined) this.#failed(this.#error)
    else if (this.#going) this.#going.attempt.listen(this)
    else this.#tell(() => sink.waiting())
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#going?.attempt.resume()
  }

  /** Says that it lives, when it has been silent for long. */
  beat(now: number): void {
    if (now - this.#toldAt < this.#settings.heartbeatS * 1_000 || this.#isPaused) return
    this.#tell(() => this.#sink?.waiting())
  }

  events(events: readonly NeutralEvent[]): void {
    if (this.#guard) this.#guard.push(events)
    else this.#say(events)
  }

  readonly #say = (events: readonly NeutralEvent[]): void => {
    const going = this.#going
    const sink = this.#sink
    if (!sink || !going) return
    this.#toldAt = performance.now()
    this.#call.heard?.push(events)
    if (this.#collector) for (const event of events) this.#collector.push(event)
    const told = this.#prose?.take(events) ?? events
    const switches = this.#run.switches.splice(0)
    const goesOn = sink.events(switches.length > 0 ? [...switches, ...told] : told)
    this.#run.hold.progress(going.attempt.meter.counted, candidateOf(going.parts))
    if (goesOn || this.#isPaused) return
    this.#isPaused = true
    going.attempt.pause()
  }

  end(how: 'finished' | 'over_quota'): void {
    this.#guarded(() => this.#ended(how))
  }

  #ended(how: 'finished' | 'over_quota'): void {
    this.#endAttempt(how, 'ok')
    if (this.#collector && how === 'finished') this.#settings.keep?.(this.#collector.answer)
    this.#leave()
    this.#sink?.end()
    this.#run.over(how === 'finished' ? 'ok' : 'quota')
  }

  fail(fault: AttemptFault): void {
    const going = this.#going
    const said = { text: this.#prose?.text ?? '', tokens: going?.attempt.meter.counted ?? 0 }
    if (going && this.#run.mayGoOn(said)) void this.#turn(going, fault, said)
    else this.#guarded(() => this.#broken(fault))
  }

  /** Once guardrails have seen all. */
  #guarded(end: () => void): void {
    if (this.#guard) this.#guard.finish(end)
    else end()
  }

  /** Has another target go on. */
  async #turn(broken: Going<StreamAttempt>, fault: AttemptFault, said: Said): Promise<void> {
    this.#endBroken(fault)
    this.#isTurning = true
    try {
      this.#run.turnFrom(broken.step, fault, said)
      const going = await this.#run.answer(...attempting)
      this.#isTurning = false
      this.#going = going
      if (this.#isPaused) going.attempt.pause()
      going.attempt.listen(this)
    } catch {
      this.#isTurning = false
      if (this.#call.signal.aborted) this.#gone()
      else this.#broken(fault)
    }
  }

  #broken(fault: AttemptFault): void {
    this.#endBroken(fault)
    const error = this.#run.interrupted(fault)
    this.#leave()
    this.#sink?.fail(error)
    this.#run.over(error.reason)
  }

  #endBroken(fault: AttemptFault): void {
    this.#endAttempt('broken_after_first_token', fault.class === 'timeout' ? 'timeout' : 'truncated', fault)
  }

  /** A guardrail ends it. */
  readonly #blocked = (error: AppError): void => {
    if (this.#isOver) return
    this.#going?.attempt.stop()
    this.#endAttempt('blocked', 'ok')
    this.#leave()
    this.#sink?.fail(error)
    this.#run.over(error.reason)
  }

  async #open(): Promise<Going<StreamAttempt>> {
    try {
      return await this.#run.answer(...attempting)
    } catch (error) {
      throw this.#run.fail(error)
    }
  }

  #opened(going: Going<StreamAttempt>): void {
    this.#going = going
    const { signal } = this.#call
    if (signal.aborted) return this.#gone()
    signal.addEventListener('abort', this.#gone, { once: true })
    if (this.#sink) going.attempt.listen(this)
  }

  /** The client went away: the attempt is stopped already. */
  readonly #gone = (): void => {
    if (this.#isOver || this.#isTurning) return
    const { drainMs } = this.#settings
    const attempt = this.#going?.attempt
    const end = (ending: AttemptEnding): void => {
      this.#endAttempt(ending, 'neutral')
      this.#run.over('client_abort')
    }
    this.#leave()
    if (attempt && drainMs > 0) return drain(attempt, drainMs, (isWhole) => end(isWhole ? 'drained' : abandoned))
    attempt?.stop()
    end(abandoned)
  }

  #endAttempt(ending: AttemptEnding, end: 'ok' | 'neutral' | 'timeout' | 'truncated', fault?: AttemptFault): void {
    const going = this.#going
    if (!going) return
    const { meter, ttftMs } = going.attempt
    going.end(ending, { reported: meter.usage, counted: meter.counted, ttftMs }, { end, ttftMs }, fault)
  }

  #failed(error: unknown): void {
    this.#error = error
    if (!this.#sink) return
    this.#leave()
    this.#sink.fail(error instanceof AppError ? error : new InternalError({ cause: error }))
  }

  #leave(): void {
    this.#isOver = true
    this.#guard?.stop()
    this.#settings.open.delete(this)
    this.#call.signal.removeEventListener('abort', this.#gone)
  }

  #tell(what: () => void): void {
    this.#toldAt = performance.now()
    what()
  }
}
