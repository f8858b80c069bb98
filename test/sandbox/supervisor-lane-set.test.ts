import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

import type { Jail } from '../../sandbox/supervisor/jail.ts'
import { loadProgram } from '../../sandbox/supervisor/program.ts'
import { LaneSet } from '../../sandbox/supervisor/lane-set.ts'
import { quiet } from './host-releases.ts'

const jail: Jail = { prefix: [], capMemory: () => Promise.resolve(false) }
const oneSpare = {
  log: quiet,
  spares: 1,
  isApart: (name: string) => !name.startsWith('shared'),
  onDeath: () => undefined,
}

describe('a set of sandbox hosts', () => {
  it('keeps no process before it is to keep spares, and none when a host was needed only for a trial', async () => {
    await using lanes = new LaneSet({ program: await loadProgram(), jail, memoryMb: 300 }, oneSpare)
    const before = lanes.spares
    await lanes.get('trial-0', { isPatient: true })
    const afterTrial = lanes.spares
    lanes.keepSpares()
    assert.deepEqual([before, afterTrial, lanes.spares], [0, 0, 1])
  })

  it('ends no host that starts for somebody', async () => {
    await using lanes = new LaneSet({ program: await loadProgram(), jail, memoryMb: 300 }, oneSpare)
    const starting = lanes.get('penalty-0')
    assert.equal(lanes.close('penalty-0'), false)
    await starting
    assert.equal(lanes.close('penalty-0'), true)
    assert.deepEqual(lanes.lanes, [])
  })

  it('tries ever more slowly to start hosts that do not start, and says so to who asks', async () => {
    let deaths = 0
    const program = { main: 'process.exit(3)', glue: '', readable: [] }
    const options = { log: quiet, spares: 1, isApart: () => false, onDeath: () => void deaths++ }
    await using lanes = new LaneSet({ program, jail, memoryMb: 300 }, options)
    lanes.keepSpares()
    await assert.rejects(lanes.get('shared-0'), /the sandbox host ended \(crash\)/)
    const start = performance.now()
    const before = deaths
    while (deaths < before + 2) await pause(5)
    // A tenth of a second, then two.
    assert.ok(performance.now() - start > 200)
    assert.deepEqual(lanes.lanes, [])
  })

  it('has a spare for the hosts that plugins share, before those that hold plugins apart', async () => {
    // No new spare comes meanwhile.
    const options = { ...oneSpare, calmMs: 60_000 }
    await using lanes = new LaneSet({ program: await loadProgram(), jail, memoryMb: 300 }, options)
    lanes.keepSpares()
    const shared = await lanes.get('shared-0')
    shared.kill('lost')
    // The guilty come back first, as they had the most calls.
    const penalty = lanes.get('penalty-0')
    const left = lanes.spares
    const next = lanes.get('shared-0')
    assert.deepEqual([left, lanes.spares], [1, 0])
    await Promise.all([penalty, next])
  })

  it('keeps the last spare from whoever is patient', async () => {
    await using lanes = new LaneSet({ program: await loadProgram(), jail, memoryMb: 300 }, oneSpare)
    lanes.keepSpares()
    const trial = lanes.get('trial-0', { isPatient: true })
    const afterTrial = lanes.spares
    const suspect = lanes.get('penalty-1')
    assert.equal(afterTrial, 1)
    assert.notEqual(await trial, await suspect)
  })
})
