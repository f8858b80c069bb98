import assert from 'node:assert/strict'
import type { HoldWish, Refusal } from '../../../../core-plugins/ai-ledger/contract.ts'
import { callOf, hear, relayWorld } from './world.ts'

const continues = { afterFirstToken: 'continue' } as const
const breaks = { trouble: { kind: 'cut', after: 3 } } as const
interface Asked {
  readonly messages: readonly object[]
  readonly max_completion_tokens: number
}

describe('A stream that is gone on with where it broke off', () => {
  let vendor: Awaited<ReturnType<typeof relayWorld>>
  before(async () => (vendor = await relayWorld()))
  after(() => vendor[Symbol.asyncDispose]())

  it('comes from the next target, which is told what was said, and costs no more than was held', async () => {
    await using world = vendor.world()
    await world.first.behave(breaks)
    await world.second.behave({ text: 'three four' })
    const run = await world.relay.start(callOf(continues))
    const { text, error, events } = await hear(run)
    assert.deepEqual([text, error], ['echo: one two three four', undefined])
    const count = (type: string) => events.filter((event) => event.type === type).length
    assert.deepEqual([count('start'), count('finish'), count('switched')], [1, 1, 1])
    const turn = { type: 'switched', from: 't1', to: 't2', reason: 'truncated', attempt: 2, committed: true }
    assert.deepEqual(
      events.find(({ type }) => type === 'switched'),
      turn,
    )
    const { messages, max_completion_tokens: most } = (await world.second.seen())[0]?.body as Asked
    assert.deepEqual([messages.at(-1), most], [{ role: 'assistant', content: 'echo: one two' }, 96])
    const rows = world.ledger.rows
    assert.deepEqual(
      rows.map(({ outcome, source, model }) => [outcome, source, model]),
      [
        ['truncated', 'counted', 'first'],
        ['ok', 'provider', 'second'],
      ],
    )
    const cost = rows.reduce((sum, { costNano }) => sum + costNano, 0n)
    assert.ok(world.ledger.wishes[0] && cost <= world.ledger.wishes[0].worst.costNano)
    const outputs = rows.reduce((sum, { usage }) => sum + usage.outputTokens, 0)
    assert.deepEqual([run.result?.costNano, run.result?.usage.outputTokens, world.ledger.open], [cost, outputs, 0])
  })

  it('costs no more than was held where one target is dear to hear, and the other to tell', async () => {
    const models = {
      first: { prices: { input: 1_000, output: 200_000_000 } },
      second: { prices: { input: 100_000_000, output: 1_000 } },
    }
    await using world = vendor.world({ models })
    await world.first.behave({ words: 60, trouble: { kind: 'cut', after: 60 } })
    await world.second.behave({ text: 'and the end' })
    const { error } = await hear(await world.relay.start(callOf(continues)))
    const [wish] = world.ledger.wishes
    const cost = world.ledger.rows.reduce((sum, { costNano }) => sum + costNano, 0n)
    assert.deepEqual([error, world.ledger.rows.length], [undefined, 2])
    assert.ok(wish && cost <= wish.worst.costNano, `${String(cost)} of ${String(wish?.worst.costNano)}`)
    // With either of them alone it could not have come to as much.
    assert.ok(cost > 20_100_000n, String(cost))
  })

  it('is gone on with once, and by another target alone', async () => {
    await using world = vendor.world()
    await world.first.behave(breaks)
    await world.second.behave(breaks)
    const twice = await hear(await world.relay.start(callOf(continues)))
    assert.deepEqual([twice.error?.reason, twice.error?.details?.['partial']], ['upstream_stream_interrupted', true])
    await using lonely = vendor.world({ route: { targets: [{ id: 't1', model: 'first', tier: 0, weight: 1 }] } })
    await lonely.first.behave(breaks)
    const alone = await hear(await lonely.relay.start(callOf(continues)))
    assert.deepEqual([alone.text, alone.error?.reason], ['echo: one two ', 'upstream_stream_interrupted'])
    assert.deepEqual([(await lonely.first.seen()).length, lonely.ledger.open, world.ledger.open], [1, 0, 0])
  })

  it('is prose alone, and wished for', async () => {
    await using world = vendor.world()
    const isGoneOn = async (more: Parameters<typeof callOf>[0]): Promise<boolean> => {
      const { events } = await hear(await world.relay.start(callOf(more)))
      return events.some(({ type }) => type === 'switched')
    }
    await world.first.behave(breaks)
    assert.equal(await isGoneOn({}), false)
    assert.equal(await isGoneOn({ ...continues, wire: 'chat_completions' }), false)
    assert.equal(await isGoneOn({ ...continues, body: { format: { type: 'json_object' } } }), false)
    const tools = [{ name: 'look', schema: { type: 'object' } }]
    await world.first.behave({ calls: [{ name: 'look', arguments: {} }], trouble: { kind: 'cut', after: 1 } })
    assert.equal(await isGoneOn({ ...continues, body: { tools } }), false)
    assert.equal(world.ledger.open, 0)
  })

  it('ends as its reader does, also while another target is asked, and both are charged', async () => {
    await using world = vendor.world()
    await world.first.behave(breaks)
    await world.second.behave({ trouble: { kind: 'hang' } })
    const control = new AbortController()
    void hear(await world.relay.start(callOf({ ...continues, signal: control.signal })))
    await world.second.seenUntil((all) => all.length === 1)
    control.abort()
    await world.second.seenUntil(([request]) => request?.hungUpAt !== undefined)
    assert.deepEqual([world.records.at(-1)?.outcome, world.ledger.open], ['client_abort', 0])
    assert.deepEqual(
      world.ledger.rows.map(({ outcome }) => outcome),
      ['truncated', 'client_abort'],
    )
  })

  it('is one that may break where there is not enough for two', async () => {
    const refuse = ({ worst }: HoldWish): Refusal | undefined => {
      if (worst.costNano < 300_000n) return undefined
      return {
        ...{ quotaId: 'qta_1', kind: 'budget', resetsAt: undefined, room: {}, onExceed: { action: 'reject' } },
      } as never
    }
    await using world = vendor.world({ refuse })
    await world.first.behave(breaks)
    const { error } = await hear(await world.relay.start(callOf(continues)))
    const costs = world.ledger.wishes.map(({ worst }) => worst.costNano)
    assert.deepEqual([error?.reason, costs.length], ['upstream_stream_interrupted', 2])
    assert.ok((costs[0] ?? 0n) >= 300_000n && (costs[1] ?? 0n) < 300_000n, String(costs))
  })
})
