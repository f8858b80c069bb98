import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

// Node lets the signal of a file that is too large pass. A client of uploads among the tests' packages ends the process at it, unless
// somebody else listens too.
process.on('SIGXFSZ', () => undefined)

/**
 * While it lasts, a process and those that it starts write no file beyond so many bytes: to a program the same as a disk that is full, and
 * nobody has to mount one. Lifted when it is disposed.
 */
export async function withSmallFiles(bytes: number, pid: number = process.pid): Promise<AsyncDisposable> {
  const limit = (soft: number | string) => run('prlimit', ['--pid', String(pid), `--fsize=${soft}:`])
  await limit(bytes)
  return { [Symbol.asyncDispose]: async () => void (await limit('unlimited')) }
}
