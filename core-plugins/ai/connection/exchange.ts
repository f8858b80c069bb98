import { errors, type Dispatcher } from 'undici'
import {
  ProviderCallError,
  type CallListener,
  type CallPhase,
  type CallTimeouts,
  type ProviderExchange,
} from './call.ts'
import type { Timed, TimerWheel } from './timer-wheel.ts'

type Controller = Dispatcher.DispatchController

/** One call under way: undici's handler on the one side, the caller's listener on the other, a clock beside. */
export class Exchange implements Dispatcher.DispatchHandler, ProviderExchange, Timed {
  tick = 0
  readonly #listener: CallListener
  readonly #wheel: TimerWheel
  readonly #timeouts: CallTimeouts
  readonly #totalAt: number
  #phase: Exclude<CallPhase, 'total'> = 'connect'
  /** When the phase began; of idle, when the last piece came. */
  #since: number
  #controller: Controller | undefined
  #isOver = false
  #isPaused = false
  #isOpen = false

  constructor(listener: CallListener, wheel: TimerWheel, timeouts: CallTimeouts) {
    this.#listener = listener
    this.#wheel = wheel
    this.#timeouts = timeouts
    this.#since = performance.now()
    this.#totalAt = this.#since + timeouts.totalMs
    wheel.add(this)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get deadline(): number {
    return this.#isPaused ? this.#totalAt : Math.min(this.#totalAt, this.#since + this.#patience())
  }

  /** Ends it before anything was sent. */
  refuse(why: string): void {
    this.#fail(new ProviderCallError('unsent', why))
  }

  /** From now on the listener may be told. */
  opened(): void {
    this.#isOpen = true
  }

  expire(): void {
    const phase = performance.now() >= this.#totalAt ? 'total' : this.#phase
    this.#fail(new ProviderCallError('timeout', `The provider took too long (${phase})`, phase))
  }

  abort(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#controller?.abort(new ProviderCallError('broken', 'Nobody waits for the answer any more'))
  }

  began(): void {
    if (this.#phase !== 'idle') this.#enter('idle')
  }

  pause(): void {
    this.#isPaused = true
    this.#controller?.pause()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#since = performance.now()
    if (this.#isOver) return
    this.#wheel.add(this)
    this.#controller?.resume()
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#isOver) return controller.abort(new ProviderCallError('broken', 'Nobody waits for the answer any more'))
    this.#enter('first_token')
  }

  onResponseStart(
    controller: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#isOver || status < 200) return
    const flat: Record<string, string> = {}
    for (const name in headers) {
      const value = headers[name]
      flat[name] = typeof value === 'string' ? value : (value ?? []).join(', ')
    }
    const encoding = flat['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      return this.#fail(new ProviderCallError('invalid', 'The answer is encoded although nobody asked for it'))
    }
    this.#listener.head(status, flat)
    if (this.#isPaused) controller.pause()
  }

  onResponseData(_controller: Controller, bytes: Buffer): void {
    if (this.#isOver) return
    if (this.#phase === 'idle') this.#since = performance.now()
    this.#listener.piece(bytes)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#listener.end()
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#fail(explain(error, this.#phase === 'connect'))
  }

  #patience(): number {
    const { connectMs, firstTokenMs, idleMs } = this.#timeouts
    return this.#phase === 'idle' ? idleMs : this.#phase === 'connect' ? connectMs : firstTokenMs
  }

  #enter(phase: 'first_token' | 'idle'): void {
    this.#phase = phase
    this.#since = performance.now()
    this.#wheel.add(this)
  }

  #fail(error: ProviderCallError): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#controller?.abort(error)
    if (this.#isOpen) this.#listener.fail(error)
    else setImmediate(() => this.#listener.fail(error))
  }
}

function explain(error: Error, isUnsent: boolean): ProviderCallError {
  if (error instanceof ProviderCallError) return error
  if (error instanceof errors.ConnectTimeoutError) {
    return new ProviderCallError('timeout', 'The provider took too long (connect)', 'connect', error)
  }
  if (isUnsent) return new ProviderCallError('unsent', 'The provider cannot be reached', undefined, error)
  const isInvalid = error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError
  if (isInvalid) return new ProviderCallError('invalid', 'The answer is not valid', undefined, error)
  return new ProviderCallError('broken', 'The connection to the provider broke', undefined, error)
}
