import { UnavailableError, type AppError } from '../errors.ts'
import { DatabaseUnavailableError, StorageFullError } from './errors.ts'

/** PostgreSQL's disk, and this host's; also where a limit of the process stands for it. */
const full: ReadonlySet<string> = new Set(['53100', 'ENOSPC', 'EDQUOT', 'EFBIG'])
/** What this host has too little of for a while: files it may hold open, memory. */
const short: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])
/** Classes of SQLSTATE: connections, resources, an operator or a limit of time that stepped in. */
const away = /^(08|53|57)[0-9A-Z]{3}$/
/** Transactions that the server ended: idle ones, and those that stood in each other's way. */
const ended: ReadonlySet<string> = new Set(['25P03', '25P04', '40001', '40P01'])

/**
 * What a failure comes to whose cause lies in the surroundings and not in what was asked: the database that is away, busy, shutting
 * down or out of time, a disk that is full. Undefined for all others.
 */
export function surroundingsError(error: unknown): AppError | undefined {
  const code = codeOf(error)
  if (code === undefined) return undefined
  if (full.has(code)) return new StorageFullError({ cause: error })
  if (short.has(code)) return new UnavailableError({ cause: error })
  if (away.test(code) || ended.has(code)) return new DatabaseUnavailableError({ cause: error })
  return undefined
}

/** The SQLSTATE, or the system's name of an error; also of one that objection wrapped, which keeps it in the one inside. */
export function codeOf(error: unknown): string | undefined {
  const { code, nativeError } = (error ?? {}) as { readonly code?: unknown; readonly nativeError?: unknown }
  if (typeof code === 'string') return code
  return nativeError === undefined ? undefined : codeOf(nativeError)
}
