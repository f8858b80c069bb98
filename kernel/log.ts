import { AsyncLocalStorage } from 'node:async_hooks'
import { pino, stdSerializers, type DestinationStream } from 'pino'

/** Structured lines; an object first, then a sentence without values. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  child(fields: object): Logger
}

/** The trace id of the request in progress; only the logger reads it. */
export const traceStore = new AsyncLocalStorage<string>()

/** Keys whose values never reach a log line, at the first two levels. */
const secretKeys = [
  'password',
  'new_password',
  'old_password',
  'token',
  'refresh_token',
  'access_token',
  'authorization',
  'cookie',
  'secret',
]

/** What PostgreSQL quotes of rows and of values in its errors: whoever reads logs need not read what tenants keep. */
const quoting = ['detail', 'where', 'internalQuery'] as const

/** Makes the process's logger: one JSON object a line on standard error, the trace id added, secrets cut. */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: presentError },
      redact: { paths: secretKeys.flatMap((key) => [key, `*.${key}`]), censor: '********' },
      mixin: () => {
        const traceId = traceStore.getStore()
        return traceId === undefined ? {} : { trace_id: traceId }
      },
    },
    destination,
  )
}

function presentError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const shown: Partial<Record<string, unknown>> = stdSerializers.err(error)
  for (const key of quoting) delete shown[key]
  return shown
}
