import assert from 'node:assert/strict'
import type { HostAnswer } from '../../sandbox/wire/call.ts'
import { essence, handlerModule, startSandbox, tight, until } from './host-releases.ts'

const forsaken = { ok: false, kind: 'killed', cause: 'forsaken', hostCalls: 0 }

describe('a call that nobody waits for any more', () => {
  it('leaves the line before its turn, and its handler never runs', async () => {
    await using sandbox = await startSandbox({ lanes: 1 })
    const code = await sandbox.install('line', handlerModule(`return ctx.cache.get(request.name)`))
    const limits = { ...tight, wallMs: 40_000, concurrency: 1, tenantConcurrency: 1 }
    const gate = Promise.withResolvers<HostAnswer>()
    const seen: unknown[] = []
    const host = (_operation: string, argument: string): Promise<HostAnswer> => {
      seen.push((JSON.parse(argument) as { key: string }).key)
      return gate.promise
    }
    let isGone = false
    const call = (name: string, isForsaken?: () => boolean) =>
      sandbox.call(code, { limits, host, input: JSON.stringify({ name }), ...(isForsaken && { isForsaken }) })
    const first = call('first')
    const second = call('second', () => isGone)
    const third = call('third')
    await until(() => seen.length === 1 && sandbox.pool.stats().queued === 2)
    isGone = true
    assert.deepEqual(essence(await second), forsaken)
    gate.resolve({ ok: true, value: 'null' })
    assert.deepEqual([(await first).ok, (await third).ok, seen], [true, true, ['first', 'third']])
    assert.deepEqual(sandbox.pool.stats().kills, {})
  })

  it('goes on when its handler is at work already', async () => {
    await using sandbox = await startSandbox({ lanes: 1 })
    const code = await sandbox.install('at-work', handlerModule(`await ctx.cache.get('a'); return 1`))
    const limits = { ...tight, wallMs: 40_000 }
    let asked = 0
    let looked = 0
    const gate = Promise.withResolvers<HostAnswer>()
    const outcome = sandbox.call(code, {
      limits,
      host: () => (asked++, gate.promise),
      isForsaken: () => asked > 0 && ++looked > 0,
    })
    await until(() => looked > 0)
    gate.resolve({ ok: true, value: 'null' })
    assert.equal((await outcome).ok, true)
  })

  it('does not enter a sandbox host at all when it is known by then', async () => {
    await using sandbox = await startSandbox({ lanes: 1 })
    const code = await sandbox.install('late', handlerModule(`return 1`))
    assert.deepEqual(essence(await sandbox.call(code, { isForsaken: () => true })), forsaken)
  })
})
