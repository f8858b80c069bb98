import assert from 'node:assert/strict'
import type { LaneProgram } from '../../sandbox/supervisor/lane-process.ts'
import { LaneMemory } from '../../sandbox/supervisor/lane-memory.ts'

const megabyte = 1024 * 1024

describe('the cap on a host with the JIT', () => {
  it('stays high while an isolate that was given room is not there yet', async () => {
    const caps: number[] = []
    const jail = {
      capMemory: (_pid: number, bytes: number) => {
        caps.push(bytes)
        return Promise.resolve(true)
      },
    }
    const program = { memoryMb: 300, jail } as unknown as LaneProgram
    using memory = new LaneMemory(program, process.pid, { hasJit: true, isBusy: () => false, onFull: () => undefined })
    await memory.cap()
    memory.isolatesChanged({ isMade: false })
    await memory.makeRoom()
    const raised = caps.length
    assert.ok((caps.at(-1) ?? 0) > (caps[0] ?? 0) + 500 * megabyte)
    memory.isolatesChanged({ isMade: false })
    // Longer than an isolate that was let go of takes to give its range back, when the cap is set again.
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.equal(caps.length, raised)
    memory.isolatesChanged({ isMade: true })
    await memory.makeRoom()
    assert.equal(caps.length, raised + 2)
  })
})
