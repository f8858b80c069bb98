import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** How a run of test files ended; one that does not end has noticed something too. */
export interface TestRun {
  readonly end: 'passed' | 'failed' | 'hung'
  readonly output: string
}

/** Files that take longer than this, and so much for each of them, hang. */
const startMs = 240_000
const fileMs = 60_000
/** After its last word mocha may be kept by what a failed test left open. */
const farewellMs = 10_000

/** Runs some test files of a copy, up to the first test that fails. */
export async function runTests(folder: string, files: readonly string[], grep?: string): Promise<TestRun> {
  const options = ['--no-config', '--extension', 'ts', '--require', './test/support/cluster.ts', '--timeout', '180000']
  const child = spawn(
    process.execPath,
    [
      'node_modules/mocha/bin/mocha.js',
      ...options,
      '--bail',
      ...(grep === undefined ? [] : ['--grep', grep]),
      ...files,
    ],
    // A group of its own, so that it ends with all that its tests started.
    { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const { pid } = child
  if (pid === undefined) throw new Error('mocha could not be started')
  const longestMs = startMs + files.length * fileMs
  let isOver = false
  let isHung = false
  const end = (signal: NodeJS.Signals) => !isOver && endGroup(pid, signal)
  const timers = [
    setTimeout(() => (isHung = end('SIGTERM')), longestMs),
    setTimeout(() => end('SIGKILL'), longestMs + farewellMs),
  ]
  let hasFailed = false
  child.stdout.on('data', (chunk: Buffer) => {
    if (hasFailed || !/^ *[1-9]\d* failing/m.test(chunk.toString())) return
    hasFailed = true
    timers.push(
      setTimeout(() => end('SIGTERM'), farewellMs),
      setTimeout(() => end('SIGKILL'), 2 * farewellMs),
    )
  })
  const closed = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('exit', resolve))
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const code = await closed
  isOver = true
  for (const timer of timers) clearTimeout(timer)
  // What its tests started would keep the pipes open.
  if (code !== 0) endGroup(pid, 'SIGKILL')
  return {
    end: isHung && !hasFailed ? 'hung' : code === 0 ? 'passed' : 'failed',
    output: (await output).join(''),
  }
}

function endGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}
