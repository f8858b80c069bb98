import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const shown = 20
/** What one file may take of the time of all; a share, since a busy machine makes all of them slower. */
const maxShare = 0.05
/** A run of some of the files has no shares worth judging. */
const minFiles = 300

let since = performance.now()

/** Makes the file in which the processes of this run note how long each of their files took. */
export async function startTimes(): Promise<void> {
  process.env['STOA_TEST_TIMES'] = path.join(await mkdtemp(path.join(tmpdir(), 'stoa-times-')), 'times')
}

/** Notes the time since this process ended its last file, or began. */
export function noteTime(file: string): void {
  const times = process.env['STOA_TEST_TIMES']
  const now = performance.now()
  if (times) appendFileSync(times, `${Math.round(now - since)} ${path.relative(process.cwd(), file)}\n`)
  since = now
}

/** Prints the files that took longest; throws when one took more than its share. */
export async function reportTimes(): Promise<void> {
  const times = process.env['STOA_TEST_TIMES']
  if (!times) return
  const files = read(times)
  await rm(path.dirname(times), { recursive: true, force: true })
  if (files.length < minFiles) return
  const whole = files.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  const lines = files.slice(0, shown).map(({ file, milliseconds }) => {
    const [seconds, share] = [milliseconds / 1000, (100 * milliseconds) / whole]
    return `${seconds.toFixed(1).padStart(8)} s ${share.toFixed(1).padStart(5)} %  ${file}`
  })
  console.log(`\n  the ${shown} slowest of ${files.length} files\n${lines.join('\n')}\n`)
  const slow = files.filter(({ milliseconds }) => milliseconds > maxShare * whole).map(({ file }) => file)
  assert.deepEqual(
    slow,
    [],
    `files that take more than ${100 * maxShare} % of the time: cut them, or make them quicker`,
  )
}

function read(times: string): { readonly file: string; readonly milliseconds: number }[] {
  if (!existsSync(times)) return []
  return readFileSync(times, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [milliseconds = '', file = ''] = line.split(' ')
      return { file, milliseconds: Number(milliseconds) }
    })
    .sort((one, other) => other.milliseconds - one.milliseconds)
}
