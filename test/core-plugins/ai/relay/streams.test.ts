import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../support/until.ts'
import { callOf, gateway, hear, relayWorld } from './world.ts'

const said = 'echo: one two three four five six'

describe('A stream through the gateway', () => {
  let vendor: Awaited<ReturnType<typeof relayWorld>>
  before(async () => (vendor = await relayWorld()))
  after(() => vendor[Symbol.asyncDispose]())

  it('comes whole from the first target, and is charged as the provider says', async () => {
    await using world = vendor.world()
    const run = await world.relay.start(callOf())
    const { text, error } = await hear(run)
    assert.deepEqual([text, error], [said, undefined])
    const [row] = world.ledger.rows
    assert.deepEqual([row?.outcome, row?.source, row?.model, row?.attempt], ['ok', 'provider', 'first', 1])
    assert.equal(row?.costNano, BigInt((row?.usage.inputTokens ?? 0) * 1_000 + (row?.usage.outputTokens ?? 0) * 2_000))
    assert.equal(world.ledger.open, 0)
    assert.deepEqual(run.about.headers['x-ai-attempts'], '1')
    assert.deepEqual(run.about.headers['x-ai-route'], 'default')
  })

  it('is answered whole by the second target, twenty times of twenty, when the first cuts it before it says anything', async () => {
    await using world = vendor.world({
      gateway: { breaker: { ...gateway.breaker, consecutive: 100, minRequests: 100 } },
    })
    for (const trouble of [
      { kind: 'cut' },
      { kind: 'cut', after: 0 },
      { kind: 'end', after: 0 },
      { kind: 'garbage', after: 0 },
    ] as const) {
      await world.first.behave({ trouble })
      const heard = await Promise.all(Array.from({ length: 5 }, async () => hear(await world.relay.start(callOf()))))
      assert.deepEqual(
        heard.map(({ text, error }) => [text, error]),
        heard.map(() => [said, undefined]),
        JSON.stringify(trouble),
      )
    }
    const ended = world.ledger.settled.map((rows) => rows.at(-1)?.model)
    assert.deepEqual(new Set(ended), new Set(['second']))
    const failed = world.ledger.rows.filter(({ outcome }) => outcome === 'upstream_error')
    assert.ok(
      failed.length > 0 && failed.every(({ costNano, possibleCostNano }) => costNano === 0n && possibleCostNano > 0n),
    )
  })

  it('ends with an error, twenty times of twenty, when it is cut after it has begun, and what came is charged', async () => {
    await using world = vendor.world({
      gateway: { breaker: { ...gateway.breaker, consecutive: 100, minRequests: 100 } },
    })
    const kinds = ['cut', 'end', 'garbage', 'error'] as const
    for (const kind of kinds) {
      await world.first.behave({ trouble: { kind, after: 3 } })
      const heard = await Promise.all(Array.from({ length: 5 }, async () => hear(await world.relay.start(callOf()))))
      assert.deepEqual(
        heard.map(({ text, error }) => [text, error?.code, error?.details?.['partial']]),
        heard.map(() => ['echo: one two ', 5021, true]),
        kind,
      )
    }
    const rows = world.ledger.rows
    assert.deepEqual(
      rows.map(({ outcome, source }) => [outcome, source]),
      rows.map(() => ['truncated', 'counted']),
    )
    assert.ok(rows.every(({ usage }) => usage.outputTokens === 4 && usage.inputTokens > 0))
  })

  it('that stalls ends with the phase in which it was too long', async () => {
    await using world = vendor.world({ route: { targets: [{ id: 't1', model: 'first', tier: 0, weight: 1 }] } })
    await world.first.behave({ trouble: { kind: 'stall', after: 2 } })
    const { error, text } = await hear(await world.relay.start(callOf()))
    assert.deepEqual([text, error?.reason, error?.details?.['phase']], ['echo: one ', 'upstream_timeout', 'idle'])
    await world.first.behave({ trouble: { kind: 'hang' } })
    await assert.rejects(world.relay.start(callOf()), { reason: 'upstream_timeout' })
    assert.deepEqual(world.ledger.rows.at(-1)?.costNano, 0n)
  })

  it('is given up at the provider at once, fifty times of fifty, when its reader goes away', async () => {
    await using world = vendor.world()
    await world.first.behave({ pieceMs: 200, words: 90 })
    const left: number[] = []
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const control = new AbortController()
        const run = await world.relay.start(callOf({ signal: control.signal }))
        void hear(run)
        await sleep(50 + Math.random() * 200)
        left.push(Date.now())
        control.abort()
      }),
    )
    const requests = await world.first.seenUntil((all) => all.every(({ hungUpAt }) => hungUpAt !== undefined))
    assert.equal(requests.length, 50)
    const late = Math.max(...requests.map(({ hungUpAt }) => hungUpAt ?? 0)) - Math.max(...left)
    // The contract has 250 ms, which `npm run bench -- ai` measures; on a busy machine the order of magnitude holds.
    assert.ok(late <= 2_500, `${String(late)} ms`)
    await until(() => world.ledger.settled.length === 50)
    const rows = world.ledger.rows
    assert.ok(rows.every(({ outcome, source }) => outcome === 'client_abort' && source === 'counted'))
    assert.ok(rows.every(({ usage }) => usage.outputTokens > 0))
    assert.equal(world.table.target('p-first/up-first').breaker.state, 'closed', 'that is not the provider’s fault')
  })

  it('is read on for the provider’s figures where the gateway says so, and no longer than it says', async () => {
    const stream = { failoverBeforeFirstToken: true, earlyCommitAfterMs: 10_000, heartbeatS: 15, drainMs: 30_000 }
    await using world = vendor.world({ gateway: { stream } })
    const leave = async (): Promise<void> => {
      const control = new AbortController()
      const { stream: said } = await world.relay.start(callOf({ signal: control.signal }))
      said?.flow({ events: () => true, waiting: () => undefined, end: () => undefined, fail: () => undefined })
      control.abort()
    }
    await world.first.behave({ words: 20, pieceMs: 50 })
    await leave()
    await until(() => world.ledger.settled.length === 1)
    const [drained] = world.ledger.rows
    assert.deepEqual([drained?.outcome, drained?.source, drained?.usage.outputTokens], ['client_abort', 'provider', 20])
    const [whole] = await world.first.seenUntil(([request]) => request?.endedAt !== undefined)
    assert.equal(whole?.hungUpAt, undefined)
    await world.first.behave({ trouble: { kind: 'stall', after: 2 } })
    await leave()
    await until(() => world.ledger.settled.length === 2)
    const stalled = world.ledger.rows[1]
    assert.deepEqual([stalled?.outcome, stalled?.source, world.ledger.open], ['client_abort', 'counted', 0])
    await world.first.seenUntil((all) => all[1]?.hungUpAt !== undefined)
  })

  it('whose reader goes away before it says anything costs its input', async () => {
    await using world = vendor.world()
    await world.first.behave({ headMs: 300 })
    const control = new AbortController()
    const started = world.relay.start(callOf({ signal: control.signal }))
    await world.first.seenUntil((all) => all.length === 1)
    control.abort()
    await assert.rejects(started)
    const [row] = world.ledger.rows
    assert.deepEqual([row?.outcome, row?.source, row?.usage.outputTokens], ['client_abort', 'estimated', 0])
    assert.ok((row?.usage.inputTokens ?? 0) > 0)
  })

  it('is cut when the provider says more than it was asked for, and costs no more than was held', async () => {
    await using world = vendor.world()
    await world.first.behave({ words: 200, ignoresMaxTokens: true, pieceMs: 1 })
    const { events, error } = await hear(await world.relay.start(callOf({ body: { maxOutputTokens: 20 } })))
    assert.deepEqual([events.at(-1), error], [{ type: 'finish', reason: 'quota' }, undefined])
    const [row] = world.ledger.rows
    const [wish] = world.ledger.wishes
    assert.ok(row && wish && row.costNano <= wish.worst.costNano && row.usage.outputTokens <= 20)
    await world.first.seenUntil(([request]) => request?.hungUpAt !== undefined)
  })

  it('costs no more than was held, whatever the provider reports', async () => {
    await using world = vendor.world()
    await world.first.behave({ usage: 'wrong' })
    await hear(await world.relay.start(callOf()))
    await world.first.behave({ usage: 'none' })
    await hear(await world.relay.start(callOf()))
    const [wrong, none] = world.ledger.rows
    assert.ok(wrong && world.ledger.wishes[0] && wrong.costNano <= world.ledger.wishes[0].worst.costNano)
    assert.equal(wrong.source, 'counted')
    assert.deepEqual([none?.source, (none?.usage.outputTokens ?? 0) > 0], ['counted', true])
    await world.first.behave({ usage: 'much' })
    await hear(await world.relay.start(callOf()))
    const [much, wish] = [world.ledger.rows.at(-1), world.ledger.wishes.at(-1)]
    const { inputTokens, outputTokens, costNano } = wish?.worst ?? {}
    assert.deepEqual(
      [much?.source, much?.usage.inputTokens, much?.usage.outputTokens],
      ['counted', inputTokens, outputTokens],
    )
    assert.ok(much && costNano !== undefined && much.costNano <= costNano)
  })

  it('starts early with signs of life when the first word is late, and tells what fails then within', async () => {
    const slow = {
      ...gateway,
      timeouts: { ...gateway.timeouts, firstTokenMs: 300 },
      stream: { ...gateway.stream, earlyCommitAfterMs: 50 },
    }
    await using world = vendor.world({ gateway: slow })
    await world.first.behave({ headMs: 120 })
    const heard = await hear(await world.relay.start(callOf()))
    assert.deepEqual([heard.text, heard.waits > 0], [said, true])
    await world.first.behave({ trouble: { kind: 'hang' } })
    await world.second.behave({ trouble: { kind: 'status', status: 400 } })
    const failed = await hear(await world.relay.start(callOf()))
    assert.equal(failed.error?.code, 4002)
    assert.equal(world.ledger.open, 0)
  })

  it('tells of the target that took over, before the first word', async () => {
    await using world = vendor.world()
    await world.first.behave({ trouble: { kind: 'status', status: 503 } })
    const { events } = await hear(await world.relay.start(callOf()))
    assert.deepEqual(events[0], {
      type: 'switched',
      from: 't1',
      to: 't2',
      reason: 'server',
      attempt: 2,
      committed: false,
    })
  })
})
