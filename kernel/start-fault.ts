import { StartError } from './start-error.ts'
import { AppError } from './errors.ts'

const advice: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
}

/** What stopped a start in one line, when it is something outside of the program; undefined means a fault of the program. */
export function startFault(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const line = wordsOf(each)
    if (line !== undefined) return each === error || !(error instanceof AppError) ? line : `${error.message}: ${line}`
  }
  return undefined
}

function wordsOf(error: Error): string | undefined {
  if (error instanceof StartError) return error.message
  const { code, syscall, path, severity } = error as Error & Partial<Record<string, unknown>>
  if (typeof code !== 'string') return undefined
  if (typeof severity === 'string') return `The database refuses: ${error.message}`
  if (typeof syscall !== 'string') return undefined
  const what = advice[code] ?? error.message
  return typeof path === 'string' && code in advice ? `${path}: ${what} (${code})` : `The start failed: ${what}`
}
