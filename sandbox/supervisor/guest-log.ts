import type { Logger } from '#kernel'
import type { KnownSecrets } from '../broker/known-secrets.ts'
import type { CallMeter } from '../metering/call-meter.ts'
import type { EffectiveLimits } from '../grants.ts'
import type { GuestLogLine } from '../wire/call.ts'

/** The call whose lines are written. */
interface LoggingCall {
  readonly plugin: string
  readonly tenantId: number
  readonly limits: EffectiveLimits
  readonly traceId: string
  readonly usage: Pick<CallMeter, 'add'>
}

const dayMs = 86_400_000

/** Writes what guests log: cut to size, counted by call and by day, cleared of secrets. */
export class GuestLog {
  readonly #log: Logger
  readonly #secrets: KnownSecrets
  readonly #now: () => number
  readonly #days = new Map<string, { readonly day: number; bytes: number }>()

  constructor(log: Logger, secrets: KnownSecrets, now: () => number = Date.now) {
    this.#log = log
    this.#secrets = secrets
    this.#now = now
  }

  /** The `onLog` function of one call. */
  forCall(call: LoggingCall): (lines: readonly GuestLogLine[]) => void {
    let lines = 0
    let bytes = 0
    return (batch) => {
      for (const line of batch) {
        const room = Math.min(call.limits.logCallBytes - bytes, this.#leftToday(call))
        const isDropped = line.dropped !== undefined || lines >= call.limits.logLines || room <= 0
        call.usage.add(isDropped ? 'logLinesDropped' : 'logLines', line.dropped ?? 1)
        if (isDropped) continue
        lines++
        bytes += this.#write(call, line, Math.min(room, call.limits.logLineBytes))
      }
    }
  }

  /** Forgets a plugin that is no longer installed. */
  forget(plugin: string): void {
    this.#days.delete(plugin)
  }

  #write(call: LoggingCall, { level, message, data }: GuestLogLine, maxBytes: number): number {
    const text = data === undefined ? message : `${message} ${JSON.stringify(data)}`
    const masked = cut(this.#secrets.mask(call.plugin, call.tenantId, text), maxBytes)
    const length = Buffer.byteLength(masked)
    this.#today(call.plugin).bytes += length
    const fields = { guest: call.plugin, tenant: call.tenantId, call: call.traceId, message: masked }
    this.#log[level](fields, 'a plugin logged')
    return length
  }

  #leftToday({ plugin, limits }: LoggingCall): number {
    return limits.logDayBytes - this.#today(plugin).bytes
  }

  #today(plugin: string): { bytes: number } {
    const day = Math.floor(this.#now() / dayMs)
    const known = this.#days.get(plugin)
    if (known?.day === day) return known
    const fresh = { day, bytes: 0 }
    this.#days.set(plugin, fresh)
    return fresh
  }
}

/** At most so many bytes, never half a character. */
function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  return Buffer.from(text)
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\ufffd+$/, '')
}
