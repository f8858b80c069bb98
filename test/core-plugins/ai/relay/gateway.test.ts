import assert from 'node:assert/strict'
import { Gateway } from '../../../../core-plugins/ai/invoke/gateway.ts'
import { answerPlugin } from '../../../../core-plugins/ai/invoke/plugin-invoker.ts'
import type { AiEvent } from '../../../../core-plugins/ai/contract.ts'
import { AttemptFault, errorOf } from '../../../../core-plugins/ai/relay/fault.ts'
import { callOf, relayWorld } from './world.ts'

const said = 'echo: one two three four five six'

describe('The platform’s own calls of models', () => {
  let vendor: Awaited<ReturnType<typeof relayWorld>>
  before(async () => (vendor = await relayWorld()))
  after(() => vendor[Symbol.asyncDispose]())

  it('are iterated over, streamed or not, and say what they took', async () => {
    await using world = vendor.world()
    const gateway = new Gateway(world.relay, { ...world.catalogue, find: () => undefined })
    for (const stream of [true, false]) {
      const run = await gateway.run(callOf({ body: { stream } }))
      assert.equal(await textOf(run.events), said)
      const { usage, costNano, model, attempts, source } = await run.done
      assert.deepEqual([model, attempts, source], ['first', 1, 'provider'])
      assert.equal(costNano, BigInt(usage.inputTokens * 1_000 + usage.outputTokens * 2_000))
    }
    assert.deepEqual(
      gateway.models(1).map(({ name }) => name),
      ['first', 'second', 'third'],
    )
  })

  it('end at the provider when nobody iterates any further, and fail as the stream does', async () => {
    await using world = vendor.world()
    const gateway = new Gateway(world.relay, { ...world.catalogue, find: () => undefined })
    await world.first.behave({ words: 90, pieceMs: 20 })
    const run = await gateway.run(callOf())
    for await (const event of run.events) if (event.type === 'text') break
    await assert.rejects(run.done, { name: 'AbortError' })
    await world.first.seenUntil(([request]) => request?.hungUpAt !== undefined)
    await world.first.behave({ trouble: { kind: 'cut', after: 2 } })
    const broken = await gateway.run(callOf())
    await assert.rejects(textOf(broken.events), { code: 5021 })
    await assert.rejects(broken.done, { code: 5021 })
  })

  it('are refused where the gateway is switched off', async () => {
    await using world = vendor.world({ gateway: { enabled: false } })
    const gateway = new Gateway(world.relay, { ...world.catalogue, find: () => undefined })
    await assert.rejects(gateway.run(callOf()), { code: 4036 })
    assert.deepEqual([await world.first.seen(), world.ledger.wishes], [[], []])
  })

  it('are held for at the price of the dearest that may answer, which is a fallback’s', async () => {
    const route = { fallbacks: [{ on: ['failed'], model: 'third' }] }
    const dear = { third: { prices: { input: 1_000_000, output: 2_000_000, perRequest: 1_000_000_000n } } }
    await using world = vendor.world({ route, models: dear })
    for (const lane of [world.first, world.second]) await lane.behave({ trouble: { kind: 'status', status: 500 } })
    const { about, result } = await world.relay.start(callOf({ body: { stream: false } }))
    const [wish] = world.ledger.wishes
    assert.ok(result && wish && about.model === 'third')
    assert.ok(result.costNano > 1_000_000_000n && result.costNano <= wish.worst.costNano, String(wish.worst.costNano))
  })

  it('learn how large the inputs of a model are, for quotas that hold what is likely', async () => {
    await using world = vendor.world()
    const gateway = new Gateway(world.relay, { ...world.catalogue, find: () => undefined })
    const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'word '.repeat(100) }] }]
    let actual = 0
    for (let n = 0; n < 25; n++) {
      const run = await gateway.run(callOf({ body: { model: 'third', stream: false, messages } }))
      await textOf(run.events)
      actual = (await run.done).usage.inputTokens
    }
    const [first, last] = [world.ledger.wishes[0], world.ledger.wishes.at(-1)]
    const [guess, learnt] = [first?.estimated?.inputTokens ?? 0, last?.estimated?.inputTokens]
    assert.ok(guess < (first?.worst.inputTokens ?? 0) && guess !== actual, String(guess))
    assert.equal(learnt, actual)
    assert.ok(last?.estimated && last.estimated.costNano < last.worst.costNano)
  })

  it('say nothing of what the filter of a provider found, which it may quote', () => {
    const { message } = errorOf(new AttemptFault('content_filter', 'You said: a secret'), {}, false)
    assert.equal(message, 'The content was refused: the filter of its provider')
  })

  it('turn texts into vectors, held for and charged by their input', async () => {
    await using world = vendor.world({ model: { kind: 'embedding' } })
    const gateway = new Gateway(world.relay, { ...world.catalogue, find: () => undefined })
    const { signal, spender, traceId } = callOf()
    const request = { model: 'first', input: ['one', 'two'], extra: {} }
    const { vectors, usage, costNano } = await gateway.embed({
      signal,
      spender,
      traceId,
      purpose: 'embedding',
      request,
    })
    assert.deepEqual([vectors.length, usage.outputTokens], [2, 0])
    assert.equal(costNano, BigInt(usage.inputTokens * 1_000))
    assert.deepEqual([world.ledger.wishes[0]?.worst.outputTokens, world.ledger.wishes[0]?.worst.inputTokens], [0, 38])
    await assert.rejects(gateway.run(callOf()), { code: 4002, reason: 'model_lacks' })
  })

  it('are made by plugins in the form of chat completions, with the user who led to them as the actor', async () => {
    await using world = vendor.world()
    const { signal, traceId } = callOf()
    const invocation = { plugin: 'acme.shop', tenant: { id: 7, code: 'seven' }, userId: 3, traceId, signal }
    const parts = { relay: world.relay, modelsFor: () => world.catalogue.modelsFor(7) }
    const request = { messages: [{ role: 'user', content: 'Hello' }], stream: true }
    const answer = await answerPlugin({ ...invocation, request }, parts)
    const { choices } = answer as { readonly choices: readonly { readonly message: { readonly content: string } }[] }
    assert.equal(choices[0]?.message.content, 'echo: Hello')
    assert.deepEqual(world.ledger.wishes[0]?.spender, { tenantId: 7, userId: 3 })
    await assert.rejects(answerPlugin({ ...invocation, request: { messages: 'no' } }, parts), { code: 4002 })
    await assert.rejects(answerPlugin({ ...invocation, request }, { ...parts, modelsFor: () => [] }), { code: 4048 })
  })
})

async function textOf(events: AsyncIterable<AiEvent>): Promise<string> {
  let text = ''
  for await (const event of events) if (event.type === 'text') text += event.text
  return text
}
