import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { PackageInvalidError, UnpackingFailedError } from '../errors.ts'
import type { ExtractAnswer, ExtractRequest } from './extract.ts'
import { loadOpeningProgram } from './opening-program.ts'

const timeLimitMs = 15_000

/** What was unpacked. */
export type Extracted = Extract<ExtractAnswer, { ok: true }>

/** Unpacks in a process of its own, which is killed when it takes too long, so that no archive holds up this one. */
export async function extractApart(request: ExtractRequest, signal?: AbortSignal): Promise<Extracted> {
  signal?.throwIfAborted()
  // Only the folders are resolved: a package that is itself a link is not followed.
  const [folder, target, program] = await Promise.all([
    realpath(dirname(request.zip)),
    realpath(request.target),
    loadOpeningProgram(),
  ])
  const zip = join(folder, basename(request.zip))
  const answer = await ask({ ...request, zip, target }, program, signal)
  if (answer.ok) return answer
  if ('failure' in answer) throw failed(answer.failure)
  const { problem, ...details } = answer.violation
  throw new PackageInvalidError({ problem }, { details })
}

/** The disk's refusals keep the system's code, as if this process had met them. */
function failed(why: string): Error {
  const isOfSystem = /^E[A-Z0-9]+$/.test(why)
  return isOfSystem
    ? Object.assign(new Error(`A package cannot be unpacked: ${why}`), { code: why })
    : new UnpackingFailedError({ why })
}

function ask(request: ExtractRequest, program: string, signal: AbortSignal | undefined): Promise<ExtractAnswer> {
  signal?.throwIfAborted()
  const child = spawn(
    process.execPath,
    [
      '--max-old-space-size=64',
      '--permission',
      `--allow-fs-read=${request.zip}`,
      `--allow-fs-read=${request.target}/`,
      `--allow-fs-write=${request.target}/`,
      '--no-warnings',
      '--input-type=module',
      '-',
    ],
    { cwd: '/', env: {}, stdio: ['pipe', 'ignore', 'ignore', 'ipc'] },
  )
  // A process that dies while it is told what to run says so by its end.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(program)
  return answerOf(child, request, signal)
}

/** What the process answers, once it has ended: the next one does not run beside it. */
async function answerOf(child: ChildProcess, request: ExtractRequest, signal?: AbortSignal): Promise<ExtractAnswer> {
  let answer: ExtractAnswer | undefined
  const end = (last?: ExtractAnswer) => {
    answer ??= last
    child.kill('SIGKILL')
  }
  const problem = `opening it takes more than ${timeLimitMs} ms`
  const overdue = setTimeout(() => end({ ok: false, violation: { rule: 'time_limit', problem } }), timeLimitMs)
  const abort = () => end()
  signal?.addEventListener('abort', abort, { once: true })
  child.once('message', (message) => (answer ??= message as ExtractAnswer))
  child.send(request, () => undefined)
  try {
    // The end of a process may be told before its last words, which come before the end of its channel.
    await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
    signal?.throwIfAborted()
    return answer ?? { ok: false, failure: `its process ended early (${child.signalCode ?? child.exitCode})` }
  } finally {
    clearTimeout(overdue)
    signal?.removeEventListener('abort', abort)
  }
}
