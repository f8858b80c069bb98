import type { Logger } from '#kernel'
import type { TestLogLine } from './contract.ts'

/** Keeps what guests log, by the trace id of the call; what the platform itself has to say goes to the terminal from warnings on. */
export class CallLog {
  readonly #lines = new Map<string, TestLogLine[]>()

  readonly logger: Logger = {
    debug: (fields) => this.#keep('debug', fields),
    info: (fields) => this.#keep('info', fields),
    warn: (fields, message) => this.#keep('warn', fields) || console.warn(message, fields),
    error: (fields, message) => this.#keep('error', fields) || console.error(message, fields),
    child: () => this.logger,
  }

  /** The lines of a call, once. */
  take(traceId: string): readonly TestLogLine[] {
    const lines = this.#lines.get(traceId) ?? []
    this.#lines.delete(traceId)
    return lines
  }

  #keep(level: TestLogLine['level'], fields: object): boolean {
    const { call, guest, message } = fields as Readonly<Record<string, unknown>>
    if (typeof call !== 'string' || guest === undefined) return false
    this.#lines.set(call, [...(this.#lines.get(call) ?? []), { level, message: String(message) }])
    return true
  }
}
