import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

import type { HostAnswer, Outcome } from '../../sandbox/wire/call.ts'
import { handlerModule, startSandbox, tight, until } from './host-releases.ts'

/** Code that takes a good deal of CPU time, and ends. */
const work = '{ let sum = 0; for (let i = 0; i < 2e6; i++) sum += i % 7 }'
const plugins = 30
/** More than run at once, unless those that run for long have places of their own. */
const loopCount = 9

/** Processes that take the machine's time, so many on each of its processors. */
function takeTime(onEach: number): Disposable {
  const loops: readonly ChildProcess[] = Array.from({ length: availableParallelism() * onEach }, () =>
    spawn(process.execPath, ['-e', 'const end = Date.now() + 60_000; while (Date.now() < end);']),
  )
  return { [Symbol.dispose]: () => void loops.forEach((loop) => loop.kill('SIGKILL')) }
}

function essences(outcomes: readonly Outcome[]): unknown[] {
  return outcomes.map((outcome) => (outcome.ok ? outcome.value : [outcome.kind, outcome.fault, outcome.cpuMs]))
}

describe('a machine without time', () => {
  it('ends no innocent call for CPU time that it did not get, and every one that spent it', async () => {
    const kills: unknown[] = []
    await using sandbox = await startSandbox({ lanes: 1, onKill: (kill) => kills.push(kill) })
    const code = await sandbox.install(
      'works',
      handlerModule(`${work} if (request.ask) await ctx.cache.get('a'); ${work} return 1`),
    )
    const measured = await sandbox.call(code, { limits: { ...tight, cpuMs: 20_000, wallMs: 50_000 } })
    const looping = await sandbox.install('loops', handlerModule('for (;;);'))
    using others = new DisposableStack()
    others.use(takeTime(3))
    // As much as the work takes, and as much again: less than the clock shows beside all the others.
    const limits = { ...tight, cpuMs: Math.ceil(measured.cpuMs * 2 + 50), wallMs: 50_000 }
    const host = (): Promise<HostAnswer> => Promise.resolve({ ok: true, value: 'null' })
    const input = '{"ask":true}'
    const outcomes: Outcome[] = []
    for (let count = 0; count < 2; count++) outcomes.push(await sandbox.call(code, { limits, host, input }))
    outcomes.push(...(await Promise.all(['1', '2', '3'].map((tenant) => sandbox.call(code, { limits, tenant })))))
    assert.deepEqual(essences(outcomes), ['1', '1', '1', '1', '1'])
    const loop = await sandbox.call(looping, { limits })
    assert.ok(
      !loop.ok && loop.kind === 'limit' && loop.limit === 'cpu' && loop.fault === undefined,
      JSON.stringify(loop),
    )
    assert.ok(loop.cpuMs >= limits.cpuMs * 0.9, JSON.stringify(loop))
    assert.deepEqual(kills, [])
  })

  it('lets a call that never ends take nothing of the other tenants of its plugin', async () => {
    await using sandbox = await startSandbox({ lanes: 1 })
    const body = `if (request.loop) for (;;); ${work} await ctx.cache.get('a'); return 1`
    const code = await sandbox.install('shared', handlerModule(body))
    using others = new DisposableStack()
    others.use(takeTime(3))
    const limits = { ...tight, cpuMs: 300, wallMs: 20_000 }
    // The sandbox host learns how little time there is.
    await sandbox.call(code, { limits, input: '{"loop":true}' })
    const answer = Promise.withResolvers<HostAnswer>()
    let waiting = 0
    const host = (): Promise<HostAnswer> => (waiting++, answer.promise)
    const calls = ['2', '3', '4'].map((tenant) =>
      sandbox.call(code, { limits: { ...limits, cpuMs: 20_000 }, tenant, host }),
    )
    await until(() => waiting === calls.length)
    const loop = await sandbox.call(code, { limits, input: '{"loop":true}' })
    answer.resolve({ ok: true, value: 'null' })
    assert.deepEqual(essences(await Promise.all(calls)), ['1', '1', '1'])
    assert.equal(loop.ok, false)
  })
})

describe('many plugins that are busy at once', () => {
  it('share one sandbox host: a few run, the others wait for their turn, and it lives', async () => {
    const kills: unknown[] = []
    await using sandbox = await startSandbox({ lanes: 1, onKill: (kill) => kills.push(kill) })
    const body = `for (let round = 0; round < 3; round++) { ${work} await ctx.cache.get('a') } return 1`
    const names = Array.from({ length: plugins }, (_, index) => `busy-${index}`)
    const codes = await Promise.all(names.map((name) => sandbox.install(name, handlerModule(body))))
    const limits = { ...tight, cpuMs: 20_000, wallMs: 50_000 }
    const calls = codes.map((code) => sandbox.call(code, { limits }))
    const threads: number[] = []
    const pid = (): number => sandbox.pool.stats().lanes[0]?.pid ?? 0
    const watch = setInterval(() => {
      const count = pid() && /^Threads:\s+(\d+)/m.exec(readFileSync(`/proc/${pid()}/status`, 'utf8'))?.[1]
      threads.push(Number(count))
    }, 20)
    const outcomes = await Promise.all(calls).finally(() => clearInterval(watch))
    assert.deepEqual(
      essences(outcomes),
      names.map(() => '1'),
    )
    assert.deepEqual([kills, sandbox.pool.stats().kills], [[], {}])
    assert.ok(Math.max(...threads) < plugins, `${Math.max(...threads)} threads`)
  })

  it('are not held up by plugins that spend all the time they may', async () => {
    await using sandbox = await startSandbox({ lanes: 1 })
    const quick = await sandbox.install('quick', handlerModule('return 1'))
    const limits = { ...tight, wallMs: 50_000 }
    assert.equal((await sandbox.call(quick, { limits })).ok, true)
    const names = Array.from({ length: loopCount }, (_, index) => `loops-${index}`)
    let begun = 0
    let ended = 0
    const host = (): Promise<HostAnswer> => (begun++, Promise.resolve({ ok: true, value: 'null' }))
    const loop = async (name: string): Promise<void> => {
      const code = await sandbox.install(name, handlerModule(`await ctx.cache.get('a'); for (;;);`))
      await sandbox.call(code, { limits: { ...limits, cpuMs: 2_000 }, host })
      ended++
    }
    const loops = names.map((name) => loop(name))
    await until(() => begun === loopCount)
    for (let count = 0; count < 10; count++) {
      const outcome = await sandbox.call(quick, { limits })
      assert.deepEqual([...essences([outcome]), ended], ['1', 0])
    }
    await Promise.all(loops)
  })
})
