import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

import { LaneMemory } from '../../sandbox/supervisor/lane-memory.ts'
import { loadProgram } from '../../sandbox/supervisor/program.ts'
import { handlerModule, startSandbox, tight, until } from './host-releases.ts'

const megabyte = 1024 * 1024

/** What a process may still ask for before its cap, in megabytes. */
function roomOf(pid: number): number {
  const cap = /^Max data size\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1]
  const data = /^VmData:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(cap) - Number(data) * 1024) / megabyte
}

describe('the memory of sandbox hosts', () => {
  it('is capped with the JIT too, however many isolates reserve their ranges, and when these are given back', async () => {
    await using sandbox = await startSandbox({ laneMemoryMb: 100 })
    const install = (name: string) => sandbox.install(name, handlerModule('return 1'), { trusted: true })
    const codes = await Promise.all(['first', 'second', 'third'].map(install))
    // Room is made for one after the other, by a command each, for which a busy machine has no time.
    const limits = { ...tight, wallMs: 10_000 }
    const outcomes = await Promise.all(codes.map((code) => sandbox.call(code, { limits })))
    deepEqual(
      outcomes.map((outcome) => outcome.ok && outcome.value),
      ['1', '1', '1'],
    )
    const pid = sandbox.pool.stats().lanes[0]?.pid ?? 0
    const isTight = (): boolean => roomOf(pid) > 50 && roomOf(pid) <= 100
    await until(isTight)
    for (const { id } of codes) await sandbox.pool.drop(id, 100)
    await until(isTight)
    const again = await sandbox.call(codes[0] ?? (await install('first')), { limits })
    equal(again.ok && again.value, '1')
  })

  it('ends bombs with the JIT by its cap', async () => {
    await using sandbox = await startSandbox({ laneMemoryMb: 80 })
    // Of buffers that nobody writes to nothing is resident: no watch sees them.
    const body = `
      const kept = []
      if (request.bomb) for (;;) kept.push(new Array(100_000).fill(1.5))
      try { for (let left = request.buffers; left > 0; left--) kept.push(new Uint8Array(${24 * megabyte})) } catch (error) { return [error.message, kept.length <= 3] }
      return kept.length`
    const code = await sandbox.install('bomb', handlerModule(body), { trusted: true })
    // Room is made by a command, and a host that ended is made anew: a busy machine has no time for either.
    const limits = { ...tight, cpuMs: 5_000, wallMs: 10_000 }
    await sandbox.call(code, { limits })
    const { pid = 0 } = sandbox.pool.stats().lanes[0] ?? {}
    await until(() => roomOf(pid) <= 80)
    const buffers = await sandbox.call(code, { input: '{"buffers":6}', limits })
    // The engine's own threads have no memory either at that moment, and one that needs some ends the process.
    if (buffers.ok) equal(buffers.value, '["Array buffer allocation failed",true]')
    else deepEqual('limit' in buffers && buffers.limit, 'memory')
    const outcome = await sandbox.call(code, { input: '{"bomb":true}', limits })
    deepEqual([outcome.ok, !outcome.ok && 'limit' in outcome && outcome.limit], [false, 'memory'])
    const next = await sandbox.call(code, { input: '{"buffers":1}', limits })
    equal(next.ok && next.value, '1')
  })

  it('is watched from outside where the system does not cap it, while calls run', async () => {
    const fill = `process.stdin.once('data', () => { globalThis.kept = Buffer.alloc(${100 * megabyte}, 1); for (;;); })`
    const child = spawn(process.execPath, ['-e', `${fill}; console.log('up')`], { stdio: ['pipe', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    try {
      await once(child.stdout, 'data')
      const full = Promise.withResolvers<boolean>()
      let isBusy = false
      const jail = { prefix: [], capMemory: () => Promise.resolve(false) }
      using memory = new LaneMemory({ program: await loadProgram(), jail, memoryMb: 40 }, child.pid ?? 0, {
        hasJit: false,
        isBusy: () => isBusy,
        onFull: () => full.resolve(isBusy),
      })
      await memory.cap()
      child.stdin.write('fill')
      isBusy = true
      memory.watch()
      ok(await full.promise)
    } finally {
      child.kill('SIGKILL')
      await ended
    }
  })
})
