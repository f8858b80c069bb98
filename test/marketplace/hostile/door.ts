import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { startPlatform, type Platform } from '../../support/platform.ts'
import { upload } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import type { HostilePackage } from './all.ts'
import { bombs } from './bombs.ts'
import { watchOpeningProcesses } from './opening-processes.ts'

const atOnce = 4
const megabyte = 1_048_576
/** Alone and undisturbed each has two seconds; here four share the processors with other tests. */
const patienceMs = 2_000 * atOnce
const healthMs = 5_000
const mostBytes = 150 * megabyte

/** Sends packages to a platform as an administrator would: each is refused soon, and costs and leaves nothing. */
export function sendThroughDoor(packages: readonly HostilePackage[]): void {
  let platform: Platform
  before(async () => {
    platform = await startPlatform()
    // The first one builds the opening process's program.
    await upload(platform.admin, Buffer.from('no zip'))
  })
  after(() => platform[Symbol.asyncDispose]())

  async function filesOf(): Promise<readonly string[]> {
    const files = await readdir(platform.host.dataDir, { recursive: true })
    return files.filter((file) => !file.startsWith('storage/')).sort()
  }

  it(`refuses ${packages.length} packages, ${atOnce} at once, and is well`, async () => {
    const before = await filesOf()
    await using processes = watchOpeningProcesses()
    await using health = watchHealth(platform)
    const rest = [...packages]
    const wrong: string[] = []
    const send = async (): Promise<void> => {
      for (let next = rest.shift(); next; next = rest.shift()) {
        const zip = next.make()
        const began = performance.now()
        const { status, body } = await upload(platform.admin, zip)
        const took = Math.round(performance.now() - began)
        const isRefused = next.codes.includes(Number(body['code'])) && Math.floor(Number(body['code']) / 10) === status
        if (!isRefused || took > patienceMs)
          wrong.push(`${next.group}: ${next.name}: ${JSON.stringify(body)} ${took} ms`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, send))
    assert.deepEqual(wrong, [])
    assert.ok(processes.mostBytes < mostBytes, `an opening process held ${processes.mostBytes} bytes`)
    assert.deepEqual(health.failures, [])
    assert.ok(health.longestMs < healthMs, `health was answered after ${health.longestMs} ms`)
    await until(async () => JSON.stringify(await filesOf()) === JSON.stringify(before))
  })

  it('opens a few of 20 bombs at a time, and has nothing of them in the end', async () => {
    const before = await filesOf()
    const bomb = bombs['2,000 files of 64 KB']?.() ?? Buffer.alloc(0)
    await using processes = watchOpeningProcesses()
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload(platform.admin, bomb)))
    assert.deepEqual(new Set(answers.map(({ body }) => body['code'])), new Set([4009]))
    assert.ok(processes.mostAtOnce <= Math.min(availableParallelism(), 4), String(processes.mostAtOnce))
    await until(async () => JSON.stringify(await filesOf()) === JSON.stringify(before))
  })
}

/** Asks for the platform's health again and again, as a balancer would. */
function watchHealth({
  host,
}: Platform): AsyncDisposable & { readonly longestMs: number; readonly failures: readonly string[] } {
  const seen = { longestMs: 0 }
  const failures: string[] = []
  let isDone = false
  const asking = (async () => {
    while (!isDone) {
      const began = performance.now()
      const { status, body } = await host.api.get('/api/public/health')
      if (status !== 200) failures.push(`${status}: ${JSON.stringify(body)}`)
      seen.longestMs = Math.max(seen.longestMs, Math.round(performance.now() - began))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  return {
    failures,
    get longestMs() {
      return seen.longestMs
    },
    async [Symbol.asyncDispose]() {
      isDone = true
      await asking
    },
  }
}
