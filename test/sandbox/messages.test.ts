import { deepEqual, equal, ok } from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

import type { Call, CallLimits, Code, HostAnswer, Outcome } from '../../sandbox/wire/call.ts'
import { sandboxLimits } from '../../sandbox/limits.ts'
import { essence, handlerModule, startSandbox, tight, type TestSandbox } from './host-releases.ts'

/** As in production, but for the clocks, which a busy machine needs longer. */
const limits: CallLimits = {
  ...{ ...tight, cpuMs: 5_000, wallMs: 120_000, hostCalls: 200, hostCallsInFlight: 16 },
  responseBytes: 1_048_576,
}
const periodMs = 50
/** Of a call that has nothing to do with the attack: more than a busy machine takes, less than the clock of a call that is held up. */
const longestMs = 10_000
const megabyte = 'x'.repeat(1_000_000)
const answered: HostAnswer = { ok: true, value: '1' }
const answer = (): Promise<HostAnswer> => Promise.resolve(answered)

describe('messages between guests and the platform', () => {
  let sandbox: TestSandbox
  let neighbour: Code
  let number = 0

  before(async () => {
    sandbox = await startSandbox({ lanes: 1 })
    neighbour = await sandbox.install('good.neighbour', handlerModule('return ctx.cache.get("a")'))
    equal((await sandbox.call(neighbour, { limits })).ok, true)
  })
  after(() => sandbox[Symbol.asyncDispose]())

  /** What a neighbour is answered, twenty times a second while this goes on, and how long it takes at most. */
  async function neighbourDuring<T>(
    work: Promise<T>,
  ): Promise<{ value: T; failed: readonly Outcome[]; longest: number }> {
    const failed: Outcome[] = []
    let longest = 0
    let isOver = false
    const calls: Promise<void>[] = []
    const ended = work.finally(() => (isOver = true))
    while (!isOver) {
      const since = performance.now()
      const call = sandbox.call(neighbour, { tenant: '9', limits, host: answer }).then((outcome) => {
        longest = Math.max(longest, performance.now() - since)
        if (!outcome.ok) failed.push(outcome)
      })
      calls.push(call)
      await pause(periodMs)
    }
    await Promise.all(calls)
    return { value: await ended, failed, longest }
  }

  /** Attacks, and sees the neighbour unhurt and the host alive; gives back what the attacker got. */
  async function attack(body: string, changes: readonly Partial<Call>[]): Promise<readonly Outcome[]> {
    const { lanes, kills } = sandbox.pool.stats()
    // What it holds at once is as much as an isolate has without a word, and how soon it leaves is the machine's affair.
    const code = { ...(await sandbox.install(`evil.sender${++number}`, handlerModule(body))), memoryMb: 256 }
    const calls = changes.map((change) => sandbox.call(code, { limits, host: answer, ...change }))
    const { value, failed, longest } = await neighbourDuring(Promise.all(calls))
    deepEqual(failed, [])
    ok(longest < longestMs, `the neighbour waited ${longest} ms`)
    deepEqual([sandbox.pool.stats().lanes[0]?.pid, sandbox.pool.stats().kills], [lanes[0]?.pid, kills])
    return value
  }

  const eight = Array.from({ length: 8 }, (_, index): Partial<Call> => ({ tenant: String(1 + (index % 2)) }))
  const values = (outcomes: readonly Outcome[]): readonly unknown[] =>
    outcomes.map((outcome) => (outcome.ok ? outcome.value : essence(outcome)))

  it('hostcalls flood 8×16×1M: wait for room, and hurt nobody', async () => {
    const body = `
      const text = 'x'.repeat(1_000_000)
      const all = await Promise.all(Array.from({ length: 16 }, () => ctx.cache.set('k', text)))
      return all.length`
    deepEqual(
      values(await attack(body, eight)),
      eight.map(() => '16'),
    )
  })

  it('answers flood 8×16×1M: wait for room, and hurt nobody', async () => {
    const body = `
      let length = 0
      for (const text of await Promise.all(Array.from({ length: 16 }, () => ctx.cache.get('k')))) length += text.length
      return length`
    const host = (): Promise<HostAnswer> => Promise.resolve({ ok: true, value: JSON.stringify(megabyte) })
    deepEqual(
      values(
        await attack(
          body,
          eight.map((call) => ({ ...call, host })),
        ),
      ),
      eight.map(() => String(16 * megabyte.length)),
    )
  })

  it('answers flood 8×16×1M: no more of them is read than there is room for', async () => {
    const body = `
      let length = 0
      for (const text of await Promise.all(Array.from({ length: 16 }, () => ctx.cache.get('k')))) length += text.length
      return length`
    let most = 0
    const host: Call['host'] = async (_operation, _argument, _signal, room) => {
      await room(megabyte.length)
      most = Math.max(most, sandbox.pool.stats().lanes[0]?.heldBytes ?? 0)
      return { ok: true, value: JSON.stringify(megabyte) }
    }
    const flood = eight.map((call) => ({ ...call, host }))
    const all = String(16 * megabyte.length)
    deepEqual(
      values(await attack(body, flood)),
      flood.map(() => all),
    )
    ok(most > sandboxLimits.callHeldBytes.max, `${most} bytes were held of several calls`)
    ok(most <= sandboxLimits.pluginHeldBytes.max + megabyte.length, `${most} bytes were held of several calls`)
    most = 0
    deepEqual(values(await attack(body, flood.slice(0, 1))), [all])
    ok(
      most > megabyte.length && most <= sandboxLimits.callHeldBytes.max + megabyte.length,
      `${most} bytes were held of one call`,
    )
    deepEqual(sandbox.pool.stats().lanes[0]?.heldBytes, 0)
  })

  it('inputs of 1M that wait for their turn are kept out until there is room', async () => {
    const input = JSON.stringify({ text: megabyte })
    const calls = Array.from({ length: 64 }, (_, index) => ({ tenant: String(1 + (index % 2)), input }))
    deepEqual(
      values(await attack('return request.text.length', calls)),
      calls.map(() => String(megabyte.length)),
    )
  })

  it('results of 1M wait for room', async () => {
    deepEqual(
      (await attack(`return 'x'.repeat(1_000_000)`, [...eight, ...eight, ...eight])).map(
        (outcome) => outcome.ok && outcome.value.length,
      ),
      Array.from({ length: 24 }, () => megabyte.length + 2),
    )
  })

  it('sha256 ×60 of 1M lets the neighbour in between, and is charged to the call', async () => {
    const body = `
      const text = 'x'.repeat(1_000_000)
      const all = await Promise.all(Array.from({ length: 30 }, () => ctx.crypto.sha256(text)))
      return all[29]`
    const outcomes = await attack(body, [{ tenant: '1' }, { tenant: '2' }])
    const digest = '"80d1189477563e1b5206b2749f1afe4807e5705e8bd77887a60187a712156688"'
    deepEqual(
      values(outcomes).map((value) => typeof value === 'string' && value.length),
      [digest.length, digest.length],
    )
    ok(
      outcomes.every(({ cpuMs }) => cpuMs > 30),
      JSON.stringify(outcomes),
    )
  })

  it('of a call whose CPU time the host has spent on them end it', async () => {
    const body = `const text = 'x'.repeat(1_000_000); for (;;) await ctx.crypto.sha256(text)`
    const [outcome] = await attack(body, [{ limits: { ...limits, hostCalls: 1e9, cpuMs: 300 } }])
    ok(outcome && !outcome.ok && outcome.kind === 'limit' && outcome.limit === 'cpu', JSON.stringify(outcome))
  })

  it('leave in order, however large', async () => {
    const seen: number[] = []
    const host = (_operation: string, argument: string): Promise<HostAnswer> => {
      seen.push((JSON.parse(argument) as { value: string }).value.length)
      return answer()
    }
    const sizes = [10, 70_000, 20, 900_000, 30, 60_000, 60_000, 40]
    const body = `
      const sizes = ${JSON.stringify(sizes)}
      await Promise.all(sizes.map((size) => ctx.cache.set('k', 'x'.repeat(size))))
      return 'y'.repeat(100_000)`
    const [outcome] = await attack(body, [{ host }])
    deepEqual([seen, outcome?.ok && outcome.value.length], [sizes, 100_002])
  })

  it('that are larger than one may be are refused by the name of their limit', async () => {
    const host = (operation: string): Promise<HostAnswer> =>
      Promise.resolve(operation === 'cache.get' ? { ok: true, value: `"${'x'.repeat(9_000_000)}"` } : answered)
    const body = `
      const told = ({ code, details }) => [code, details.reason, details.limit]
      return [
        await ctx.cache.set('k', 'x'.repeat(1_100_000)).catch(told),
        await ctx.cache.get('k').catch(told),
      ]`
    const [outcome] = await attack(body, [{ host }])
    deepEqual(outcome?.ok && JSON.parse(outcome.value), [
      ['invalid', 'argument_too_large', 'request_bytes'],
      ['invalid', 'answer_too_large', 'answer_bytes'],
    ])
  })
})
