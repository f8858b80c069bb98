import assert from 'node:assert/strict'

import { shareOut } from '../../sandbox/host/share-out.ts'
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

  it('is its own that a guest spends by having the host digest for it', async () => {
    await using sandbox = await startSandbox({ lanes: 1 })
    const code = await sandbox.install('digests', handlerModule(`for (;;) await ctx.crypto.sha256('a')`))
    const outcome = await sandbox.call(code, { limits: { ...tight, cpuMs: 50_000, hostCalls: 1e9 } })
    assert.ok(!outcome.ok && outcome.kind === 'timeout' && outcome.fault === undefined, JSON.stringify(outcome))
  }).timeout(30_000)
})
