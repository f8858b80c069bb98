import { FailureWindow } from './failure-window.ts'
import type { BreakerSettings } from './settings.ts'

/** Why a breaker is open: by what it counted, by a person, or because the provider refuses the credentials. */
type OpenKind = 'failures' | 'tripped' | 'drained' | 'auth_failed'

/** What hosts tell each other of a breaker; times are absolute, in milliseconds. */
export interface BreakerRecord {
  /** When it was last closed or reset: what was said before that counts no more. */
  readonly epoch: number
  readonly kind: OpenKind | undefined
  readonly openedAt: number
  /** When the next probe may go, or 0. */
  readonly until: number
  /** How often it opened in a row. */
  readonly opened: number
  readonly reason: string
}

/** How a breaker stands. */
type BreakerState = 'closed' | 'open' | 'half_open'

/** An attempt that a breaker let through. */
export interface Pass {
  readonly isProbe: boolean
  /** Let through before its time: a failure then makes nothing worse. */
  readonly isEarly: boolean
  readonly at: number
}

/** What a breaker lives on. */
export interface BreakerParts {
  readonly now: () => number
  readonly random: () => number
  readonly settings: () => BreakerSettings
  /** Told whenever it opened or closed here, not when another host said so. */
  readonly changed?: (record: BreakerRecord) => void
}

const authFailedMs = 300_000
/** Openings at least so long let one request through before their time, in a panic. */
const earlyFromMs = 20_000
const closed: BreakerRecord = { epoch: 0, kind: undefined, openedAt: 0, until: 0, opened: 0, reason: '' }

/** Leaves a target alone after failures and lets real requests find out, one at a time, whether it is back. */
export class Breaker {
  readonly #parts: BreakerParts
  readonly #window = new FailureWindow()
  #record = closed
  #inARow = 0
  #probes = 0
  #probesOk = 0
  #closedAt = -Infinity
  #provenAt = -Infinity
  #earlyOf = 0

  constructor(parts: BreakerParts) {
    this.#parts = parts
  }

  get record(): BreakerRecord {
    return this.#record
  }

  /** When it closed after it had been open; -Infinity if never. */
  get closedAt(): number {
    return this.#closedAt
  }

  get state(): BreakerState {
    if (this.#record.kind === undefined) return 'closed'
    return this.#parts.now() >= this.#record.until ? 'half_open' : 'open'
  }

  /** Whether a request may pass now, as an ordinary one or as a probe. */
  get admits(): 'yes' | 'probe' | 'no' {
    const state = this.state
    if (state === 'closed') return 'yes'
    if (state === 'half_open' && this.#probes < this.#parts.settings().halfOpenProbes) return 'probe'
    return 'no'
  }

  /** More requests at once would be wasted if the target were gone: it has failed last, or has not answered yet. */
  unprovenRoom(inFlight: number): boolean {
    if (this.#inARow === 0 && this.#provenAt >= this.#parts.now() - 60_000) return true
    return inFlight < this.#parts.settings().consecutive - this.#inARow
  }

  /** Whether a panic may send one request before the time of a long opening has come: once in each. */
  get admitsEarly(): boolean {
    const { kind, until, openedAt } = this.#record
    if (kind !== 'failures' || this.#probes > 0 || this.#earlyOf === openedAt) return false
    const now = this.#parts.now()
    return until - openedAt >= earlyFromMs && now >= openedAt + (until - openedAt) / 2
  }

  /** Begins an attempt; every pass is ended once. */
  begin(isEarly = false): Pass {
    const isProbe = this.#record.kind !== undefined
    if (isProbe) this.#probes++
    if (isEarly) this.#earlyOf = this.#record.openedAt
    return { isProbe, isEarly, at: this.#parts.now() }
  }

  /** Ends an attempt: whether it counts for or against the target, or says nothing. */
  end(pass: Pass, result: 'ok' | 'bad' | 'neutral', reason = ''): void {
    if (pass.isProbe) this.#probes = Math.max(0, this.#probes - 1)
    if (result === 'neutral') return
    if (this.#record.kind !== undefined) {
      // What began before it opened tells nothing new.
      if (pass.isProbe && pass.at >= this.#record.openedAt) this.#probed(pass, result === 'ok', reason)
      return
    }
    if (pass.at >= this.#closedAt) this.#count(result === 'ok', reason)
  }

  /** Opens it for what the provider says of the credentials: no request mends that. */
  authFailed(reason: string): void {
    this.#open('auth_failed', this.#parts.now() + authFailedMs, reason)
  }

  /** A person opens it. */
  force(kind: 'tripped' | 'drained', until: number, reason: string): void {
    this.#record = { ...this.#record, epoch: this.#record.epoch + 1 }
    this.#open(kind, until, reason)
  }

  /** A person, or its probes, close it; counters begin anew. */
  reset(): void {
    const now = this.#parts.now()
    this.#become({ ...closed, epoch: Math.max(now, this.#record.epoch + 1) })
    this.#parts.changed?.(this.#record)
  }

  /** The next request may try it, however long it was to be open. */
  probeNow(): void {
    if (this.#record.kind === undefined) return
    this.#record = { ...this.#record, until: this.#parts.now(), epoch: this.#record.epoch + 1 }
    this.#parts.changed?.(this.#record)
  }

  /** Takes in what another host says: the later closing wins, then the longer opening. */
  hear(record: BreakerRecord): void {
    const own = this.#record
    if (record.epoch < own.epoch) return
    if (record.epoch === own.epoch && record.until <= own.until) return
    this.#become(record)
  }

  #become(record: BreakerRecord): void {
    const wasOpen = this.#record.kind !== undefined
    this.#record = record
    this.#probesOk = 0
    if (record.kind !== undefined) return
    this.#window.clear()
    this.#inARow = 0
    this.#provenAt = -Infinity
    if (wasOpen) this.#closedAt = this.#parts.now()
  }

  #count(isOk: boolean, reason: string): void {
    const now = this.#parts.now()
    const settings = this.#parts.settings()
    this.#window.add(isOk, now, settings.windowS)
    if (isOk) {
      this.#inARow = 0
      this.#provenAt = now
      return
    }
    this.#inARow++
    const { total, bad } = this.#window.count(now, settings.windowS)
    const isTooOften = total >= settings.minRequests && bad / total >= settings.errorRate
    if (!isTooOften && this.#inARow < settings.consecutive) return
    const why = `${reason} ${String(Math.round((bad / total) * 100))}% of ${String(total)}`.trim()
    this.#open('failures', now + this.#openMs(0), why)
  }

  #probed({ isEarly }: Pass, isOk: boolean, reason: string): void {
    if (!isOk) {
      if (isEarly) return
      this.#open('failures', this.#parts.now() + this.#openMs(this.#record.opened), `probe: ${reason}`)
      return
    }
    if (++this.#probesOk >= this.#parts.settings().closeAfter) return this.reset()
    if (isEarly) this.#record = { ...this.#record, until: this.#parts.now() }
  }

  #open(kind: OpenKind, until: number, reason: string): void {
    const opened = kind === 'failures' ? this.#record.opened + 1 : this.#record.opened
    const at = this.#parts.now()
    this.#become({ epoch: this.#record.epoch, kind, openedAt: at, until, opened, reason })
    this.#parts.changed?.(this.#record)
  }

  /** 5 s × 2^k ± 20 %, at most 120 s, as the settings have it. */
  #openMs(times: number): number {
    const { openS, openMaxS } = this.#parts.settings()
    const usual = Math.min(openS * 2 ** Math.min(times, 20), openMaxS) * 1_000
    return Math.round(Math.min(usual * (0.8 + 0.4 * this.#parts.random()), openMaxS * 1_000))
  }
}
