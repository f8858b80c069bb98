import assert from 'node:assert/strict'

import { GuestHost } from '../../sandbox/host/guest-host.ts'
import type { GuestCall } from '../../sandbox/host/guest-call.ts'
import { shareOut } from '../../sandbox/host/share-out.ts'
import { WallClock } from '../../sandbox/host/wall-clock.ts'
import type { Channel } from '../../sandbox/wire/channel.ts'
import { isStarved } from '../../sandbox/supervisor/overdue.ts'
import { threadTime } from '../../sandbox/supervisor/thread-time.ts'
import { handlerModule, startSandbox, tight } from './host-releases.ts'

describe('time in a sandbox host', () => {
  it('that an entry was too short to take is that of the others', () => {
    assert.deepEqual(shareOut(50, [50, 2, 1]), [47, 2, 1])
    assert.deepEqual(shareOut(60, [50, 50, 50]), [20, 20, 20])
    assert.deepEqual(shareOut(0, [50]), [0])
    assert.deepEqual(shareOut(10, []), [])
  })

  it('is taken by the machine only when the host’s own threads did not', () => {
    const before = { isStopped: false, ranMs: 0, waitedMs: 0, othersRanMs: 0 }
    const after = (othersRanMs: number) => ({ isStopped: false, ranMs: 20, waitedMs: 200, othersRanMs })
    assert.deepEqual([isStarved(before, after(50)), isStarved(before, after(450))], [true, false])
    assert.equal(isStarved(before, { ...before, ranMs: 250 }), false)
    const { ranMs, othersRanMs } = threadTime(process.pid)
    assert.ok(ranMs > 0 && othersRanMs > 0, `${ranMs} ${othersRanMs}`)
  })

  it('counts against a call while the host’s thread works, and not while it is kept from working', async () => {
    const ended = Promise.withResolvers<void>()
    let told = 0
    const clock = new WallClock(
      () => ended.resolve(),
      (milliseconds) => (told += milliseconds),
    )
    const call = {} as GuestCall
    const since = performance.now()
    clock.start(call, 600)
    const ranMs = work(500)
    const tookMs = performance.now() - since
    await ended.promise
    clock.stop(call)
    assert.ok(told <= Math.max(0, tookMs - ranMs), `${told} of ${tookMs} ms were taken for lost, and it ran ${ranMs}`)
  })

  it('that a call waits for room in its host is not its own', async () => {
    const done = Promise.withResolvers<unknown>()
    const send = (type: string, _id: number, ...fields: string[]) =>
      type === 'done' && done.resolve(JSON.parse(fields[3] ?? ''))
    const host = new GuestHost({ send } as unknown as Channel, { glue: '', memoryBytes: 1e9, hasJit: true })
    const code = { id: 'a@1', plugin: 'a', main: 'index.js', files: [], hostModules: [], memoryMb: 128 }
    host.receive({ type: 'code', id: 0, fields: [JSON.stringify(code)] })
    const target = { kind: 'handler', name: 'run' }
    const header = { code: code.id, tenant: '1', ...target, limits: { ...tight, wallMs: 50 }, mayWait: false }
    host.receive({ type: 'call', id: 1, fields: [JSON.stringify(header), '{}', '{}'] })
    assert.deepEqual(await done.promise, { ok: false, kind: 'timeout', fault: 'host' })
  })

  it('is its own that a guest spends by having the host digest for it', async () => {
    await using sandbox = await startSandbox({ lanes: 1 })
    const code = await sandbox.install('digests', handlerModule(`for (;;) await ctx.crypto.sha256('a')`))
    const outcome = await sandbox.call(code, { limits: { ...tight, cpuMs: 50_000, hostCalls: 1e9 } })
    assert.ok(!outcome.ok && outcome.kind === 'timeout' && outcome.fault === undefined, JSON.stringify(outcome))
  })
})

/** Keeps this thread busy until it ran so long; answers how long that was. */
function work(milliseconds: number): number {
  const before = process.threadCpuUsage()
  for (;;) {
    const { user, system } = process.threadCpuUsage(before)
    const ranMs = (user + system) / 1_000
    if (ranMs >= milliseconds) return ranMs
  }
}
