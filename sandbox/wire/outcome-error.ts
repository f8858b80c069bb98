import { AppError, OutcomeUnknownError, StorageFullError, UnavailableError } from '#kernel'
import { authorText } from '../author-text.ts'
import {
  CapabilityMissingError,
  PluginConcurrencyError,
  PluginHandlerFailedError,
  PluginNotRunningError,
  PluginResponseInvalidError,
  PluginStorageQuotaError,
  PluginTimeoutError,
  SandboxFailedError,
} from '../errors.ts'
import type { Failure, GuestError, ReachedLimit } from './call.ts'

/** What an author may say went wrong → the platform's code; everything else is 5004. */
const codes: ReadonlyMap<string, number> = new Map([
  ['bad_request', 4002],
  ['forbidden', 4030],
  ['not_found', 4040],
  ['conflict', 4090],
  ['invalid', 4220],
  ['rate_limited', 4299],
  ['upstream', 5024],
])
const codeOfStatus: ReadonlyMap<number, number> = new Map(
  [...codes.values()].map((code) => [Math.floor(code / 10), code]),
)
const categoryOfCode: ReadonlyMap<number, string> = new Map([...codes].map(([category, code]) => [code, category]))

/** What the stores of objects and of rows say when they are full. */
const full: ReadonlySet<unknown> = new Set([
  'storage_quota_exceeded',
  'plugin_storage_quota',
  'attachment_quota_exceeded',
])

/** Refusals of what a plugin wrote, not of what its caller sent. */
const ownFaults: ReadonlySet<unknown> = new Set(['statement_invalid', 'argument_invalid'])

const impossible = 'The plugin asked the platform for what is not possible'

const slugForm = /^[a-z][a-z0-9_]{0,63}$/
const retrySeconds: Readonly<Record<string, string>> = { breaker_open: '30', quarantined: '300', upgrading: '5' }

/** What an author says of a failure, thrown or returned. */
type AuthorError = Pick<GuestError, 'code' | 'reason' | 'status' | 'message' | 'details'>

/** What became of a call, as an error of the platform. */
export function outcomeError(plugin: string, failure: Failure): AppError {
  switch (failure.kind) {
    case 'threw':
      return thrownError(plugin, failure)
    case 'limit':
      return limitError(failure.limit)
    case 'timeout':
      return timeoutError(failure)
    case 'killed':
      return notRunningError(failure.cause)
    case 'invalid':
      return new PluginResponseInvalidError({ cause: failure.message })
    case 'load':
      return new PluginHandlerFailedError({ cause: failure.stack ?? failure.message })
  }
}

/** The same with where it was thrown, for a platform whose callers are the plugin's author. */
export function withStack(error: AppError, failure: Failure): AppError {
  const { stack } = failure.kind === 'threw' ? failure.error : failure.kind === 'load' ? failure : {}
  if (!(error instanceof PluginHandlerFailedError) || stack === undefined) return error
  return new PluginHandlerFailedError({ cause: error.cause, details: { stack } })
}

/** A plugin that was kept waiting is not late: its caller learns what it waited for, and whether that may be done all the same. */
function timeoutError({ awaited }: Extract<Failure, { kind: 'timeout' }>): AppError {
  if (awaited === undefined) return new PluginTimeoutError()
  return awaited === 'saving' ? new OutcomeUnknownError() : new UnavailableError()
}

/** A plugin that did not know what to say of a database that is away is no plugin that failed. */
function thrownError(plugin: string, { error, fault }: Extract<Failure, { kind: 'threw' }>): AppError {
  const told = authorError(plugin, error)
  const isOurs = fault === 'database' && told instanceof PluginHandlerFailedError
  return isOurs ? new UnavailableError({ cause: error }) : told
}

/** The plugin does not run for the moment, with the cause and when to come again. */
export function notRunningError(cause: string): AppError {
  return new PluginNotRunningError({ details: { cause }, headers: { 'retry-after': retrySeconds[cause] ?? '1' } })
}

/** What an author threw, or returned with a status from 400 on. */
export function authorError(plugin: string, error: AuthorError): AppError {
  const known = platformError(error)
  if (known) return known
  const code = codes.get(error.code ?? '') ?? codeOfStatus.get(error.status ?? 0)
  if (code === undefined) return new PluginHandlerFailedError({ cause: error })
  const own: readonly unknown[] = [error.reason, isRecord(error.details) && error.details['reason']]
  const slug =
    own.find((reason): reason is string => typeof reason === 'string' && slugForm.test(reason)) ??
    categoryOfCode.get(code)
  // What the plugin asked for wrongly is told to its author, in tests and in the failures of the plugin; its tables are not its callers'.
  if (code === codes.get('bad_request') && ownFaults.has(own[1]))
    return new AppError(code, `plugin.${plugin}.${slug}`, impossible, undefined, {
      ...{ details: { reason: own[1] }, cause: error },
    })
  const message = authorText(error.message) || 'The plugin refused the request'
  const details = isRecord(error.details) ? { details: error.details } : {}
  return new AppError(code, `plugin.${plugin}.${slug}`, '{message}', { message }, { ...details, cause: error })
}

/** Whether an author's error is an answer to its caller and no failure of the plugin. */
export function isAnswer({ code, status }: Pick<AuthorError, 'code' | 'status'>): boolean {
  return codes.has(code ?? '') || codeOfStatus.has(status ?? 0)
}

/** Refusals by the platform that went through the guest unchanged keep the platform's code. */
function platformError({ code, details }: AuthorError): AppError | undefined {
  if (!isRecord(details)) return undefined
  const { reason, capability } = details
  if (code === 'forbidden' && reason === 'capability_missing' && typeof capability === 'string') {
    return new CapabilityMissingError({ details: { capability: capability.slice(0, 64) } })
  }
  if (code === 'rate_limited' && full.has(reason)) return new PluginStorageQuotaError()
  if (code === 'unavailable') return unavailableError(reason)
  return undefined
}

function unavailableError(reason: unknown): AppError {
  if (reason === OutcomeUnknownError.reason) return new OutcomeUnknownError()
  return reason === StorageFullError.reason ? new StorageFullError() : new UnavailableError()
}

function limitError(limit: ReachedLimit): AppError {
  switch (limit) {
    case 'cpu':
    case 'memory':
    case 'host_calls':
    case 'message_bytes':
      return new SandboxFailedError({ details: { limit } })
    case 'response_bytes':
      return new PluginResponseInvalidError({ details: { limit } })
    case 'concurrency':
    case 'queue':
      return new PluginConcurrencyError({ details: { limit }, headers: { 'retry-after': '1' } })
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
