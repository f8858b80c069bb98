import assert from 'node:assert/strict'

import type { HostAnswer, Outcome } from '../../sandbox/wire/call.ts'
import { essence, handlerModule, startSandbox, stuckSource, tight, until } from './host-releases.ts'

describe('calls whose sandbox host was brought down by another', () => {
  it('are made again, unless what they did may be there still', async () => {
    const kills: unknown[] = []
    await using sandbox = await startSandbox({ lanes: 1, onKill: (kill) => kills.push(kill) })
    const guilty = await sandbox.install('guilty', handlerModule(`return ${stuckSource}`))
    const innocent = await sandbox.install(
      'innocent',
      handlerModule(`
        if (request.act === 'read') await ctx.cache.get('a')
        if (request.act === 'undone') return db.tx(async (tx) => {
          await tx.table('notes').insert({ name: 'a' })
          return ctx.storage.get('wait')
        })
        if (request.act === 'write') await db.table('notes').insert({ name: 'a' })
        if (request.act === 'keep') await ctx.storage.put('a', 'b')
        if (request.act === 'pass') await ctx.cache.set('a', 1)
        if (request.act === 'ask') await ctx.http.fetch('https://a.example')
        return ctx.storage.get('wait')`),
    )
    // What ends at the kill has time enough for it, on a busy machine too: CPU time is what brings it about.
    const limits = { ...tight, wallMs: 40_000 }
    const capabilities = ['storage', 'db:own_tables', 'http']
    const ctx = JSON.stringify({ plugin: { name: 'innocent' }, tenant: { id: 1 }, capabilities })
    let waiting = 0
    const call = (act: string, index: number): Promise<Outcome> => {
      let waited = 0
      const answer = { 'db.begin': '{"tx":"1"}', 'db.query': '{"rows":[],"count":0}' } as Record<string, string>
      const host = (operation: string): Promise<HostAnswer> => {
        if (operation !== 'storage.get') return Promise.resolve({ ok: true, value: answer[operation] ?? 'null' })
        waiting++
        // The first attempt waits until its host is killed.
        return waited++ === 0 ? new Promise(() => undefined) : Promise.resolve({ ok: true, value: 'null' })
      }
      return sandbox.call(innocent, { limits, ctx, host, tenant: String(index), input: JSON.stringify({ act }) })
    }
    const acts = ['nothing', 'read', 'undone', 'write', 'keep', 'pass', 'ask']
    const calls = acts.map(call)
    await until(() => waiting === acts.length)
    const attack = await sandbox.call(guilty, { limits })
    assert.deepEqual(essence(attack), { ok: false, kind: 'limit', limit: 'cpu', hostCalls: 0 })
    const outcomes = (await Promise.all(calls)).map(
      (outcome) => outcome.ok || (outcome.kind === 'killed' && outcome.cause),
    )
    const [again, lost] = [true, 'plugin_restarted']
    assert.deepEqual(outcomes, [again, again, again, lost, lost, lost, lost])
    assert.deepEqual(kills, [{ plugin: 'guilty', reason: 'cpu', isCertain: true }])
  })
})
