import assert from 'node:assert/strict'
import { CallGuard } from '../../../../core-plugins/ai/guard/call-guard.ts'
import { Judge, type JudgedCall } from '../../../../core-plugins/ai/guard/judge.ts'
import type { ActiveRule } from '../../../../core-plugins/ai/guard/types.ts'
import { callOf, hear, relayWorld } from './world.ts'

const said = 'echo: one two three four five six'

describe('Answers that are kept', () => {
  let vendor: Awaited<ReturnType<typeof relayWorld>>
  before(async () => (vendor = await relayWorld()))
  after(() => vendor[Symbol.asyncDispose]())

  it('are given again to equal requests, whole or as a stream, for no tokens', async () => {
    await using world = vendor.world({ route: { cacheSeconds: 60 } })
    await hear(await world.relay.start(callOf()))
    const again = await world.relay.start(callOf())
    assert.deepEqual([(await hear(again)).text, again.about.headers['x-ai-cache']], [said, 'hit'])
    const { answer } = await world.relay.start(callOf({ body: { stream: false } }))
    assert.deepEqual(answer?.parts, [{ type: 'text', text: said }])
    assert.equal((await world.first.seen()).length, 1)
    assert.deepEqual(
      world.records.map(({ outcome, attempts }) => [outcome, attempts.length]),
      [
        ['ok', 1],
        ['ok', 0],
        ['ok', 0],
      ],
    )
    assert.deepEqual(
      world.ledger.rows.map(({ costNano, cached = false }) => [costNano > 0n, cached]),
      [
        [true, false],
        [false, true],
        [false, true],
      ],
    )
  })

  it('are not those of other tenants, keys, requests, or of calls that do not ask for it or bring tools', async () => {
    await using world = vendor.world()
    const ask = async (more: Parameters<typeof callOf>[0]) => hear(await world.relay.start(callOf(more)))
    const old = { maxAgeSeconds: 60 }
    await ask(old)
    await ask({ ...old, spender: { tenantId: 2 } })
    await ask({ ...old, spender: { tenantId: 1, keyId: 'key_1' } })
    await ask({ ...old, body: { temperature: 1 } })
    await ask({ ...old, body: { tools: [{ name: 'look', schema: {} }] } })
    await ask({ ...old, maxAgeSeconds: 0 })
    await ask({})
    assert.equal((await world.first.seen()).length, 7)
    await ask(old)
    assert.equal((await world.first.seen()).length, 7)
  })

  it('are not those of another release of a guardrail, or those that one failed to judge', async () => {
    let rule: ActiveRule = {
      ...{ name: 'acme.words', plugin: 'acme.words', code: '', mode: 'mask', onError: 'open', timeoutMs: 1 },
      ...{ phases: new Set(['input'] as const), holdBackChars: 0, release: 'a' },
    }
    let fails = true
    const judged = { verdict: { verdict: 'allow' }, state: null, cpuMs: 0 } as const
    const plugins = { judge: () => (fails ? Promise.reject(new Error('no')) : Promise.resolve(judged)) }
    const guards = { of: (call: JudgedCall) => new CallGuard([rule], new Judge(plugins, call)) }
    await using world = vendor.world({ route: { cacheSeconds: 60 }, guards })
    const ask = async (): Promise<number> => {
      await hear(await world.relay.start(callOf()))
      return (await world.first.seen()).length
    }
    assert.deepEqual([await ask(), await ask()], [1, 2])
    fails = false
    assert.deepEqual([await ask(), await ask()], [3, 3])
    rule = { ...rule, release: 'b' }
    assert.deepEqual([await ask(), await ask()], [4, 4])
  })
})
