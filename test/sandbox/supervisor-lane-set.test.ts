import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

import type { Jail } from '../../sandbox/supervisor/jail.ts'
import { LaneSet } from '../../sandbox/supervisor/lane-set.ts'
import { quiet } from './host-releases.ts'

const jail: Jail = { prefix: [], capMemory: () => Promise.resolve(false) }

describe('a set of sandbox hosts', () => {
  it('tries ever more slowly to start hosts that do not start, and says so to who asks', async () => {
    let deaths = 0
    const program = { main: 'process.exit(3)', glue: '', readable: [] }
    const options = { log: quiet, spares: 1, isApart: () => false, onDeath: () => void deaths++ }
    await using lanes = new LaneSet({ program, jail, memoryMb: 300 }, options)
    await assert.rejects(lanes.get('shared-0', false), /the sandbox host ended \(crash\)/)
    const start = performance.now()
    const before = deaths
    while (deaths < before + 2) await pause(5)
    // A tenth of a second, then two.
    assert.ok(performance.now() - start > 200)
    assert.deepEqual(lanes.lanes, [])
  })
})
