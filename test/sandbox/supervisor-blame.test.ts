import assert from 'node:assert/strict'

import { PluginHealth } from '../../sandbox/health/plugin-health.ts'
import type { Call, Failure, HostAnswer } from '../../sandbox/wire/call.ts'
import { LostTime } from '../../sandbox/supervisor/lost-time.ts'
import { answerHostCall, newPending, withFault } from '../../sandbox/supervisor/pending-call.ts'
import { quiet, tight } from './host-releases.ts'

const cost = { cpuMs: 0, wallMs: 0, hostCalls: 0 }
const noneLost = { since: () => 0 }
const threw = (code?: string): Failure => ({
  ok: false,
  kind: 'threw',
  error: { name: 'Error', message: '', ...(code === undefined ? {} : { code }) },
})

describe('the health of a plugin', () => {
  it('suffers from what the plugin did, and from nothing that was done to it', () => {
    const health = new PluginHealth(
      () => assert.fail('quarantined'),
      () => assert.fail('told'),
    )
    const others: Failure[] = [
      { ...threw(), fault: 'host' },
      { ...threw('internal'), fault: 'host' },
      { ...threw('unavailable'), fault: 'database' },
      { ok: false, kind: 'timeout', fault: 'database' },
      { ok: false, kind: 'timeout', fault: 'machine' },
      { ok: false, kind: 'killed', cause: 'plugin_restarted' },
      { ok: false, kind: 'limit', limit: 'queue' },
    ]
    for (const failure of others)
      for (let count = 0; count < 50; count++) assert.equal(health.record('a', 1, { ...failure, ...cost }), undefined)
    assert.deepEqual([health.state('a'), health.enter('a', 1).refusal], ['closed', undefined])
  })

  it('is judged by what was measured, what was thrown and what took too long, each by itself', () => {
    const health = new PluginHealth(
      () => undefined,
      () => undefined,
    )
    const signs = [
      threw(),
      threw('not_found'),
      { ok: false, kind: 'timeout' } as const,
      { ok: false, kind: 'limit', limit: 'cpu' } as const,
      { ok: false, kind: 'limit', limit: 'memory' } as const,
      { ok: false, kind: 'limit', limit: 'host_calls' } as const,
    ].map((failure) => health.record('a', 1, { ...failure, ...cost }))
    assert.deepEqual(signs, ['error', 'ok', 'limit', 'spent', 'spent', 'limit'])
  })
})

describe('time that was lost', () => {
  it('is known to whoever asks first after a pause, and forgotten for what began later', () => {
    let now = 1_000
    using lost = new LostTime(() => now)
    now += 250
    assert.equal(lost.since(1_000), 0)
    now += 15_000
    assert.equal(lost.since(1_000), 14_900)
    assert.equal(lost.since(now - 500), 500)
    assert.equal(lost.since(now), 0)
  })
})

describe('the blame for time', () => {
  it('is that of a host call which took most of it, and of none that was only left behind', () => {
    const whose = (operation: string, forMs: number): unknown => {
      const pending = newPending({ ...({} as Call), limits: { ...tight, wallMs: 10_000 } }, false, () => undefined)
      pending.since = performance.now() - 10_000
      pending.asked = new Map([['1', { operation, argument: '{}', at: performance.now() - forMs }]])
      const outcome = withFault({ ok: false, kind: 'timeout', ...cost }, pending, noneLost)
      return !outcome.ok && outcome.fault
    }
    const waits = [
      ['db.run', 6_000],
      ['cache.get', 6_000],
      ['db.run', 10],
      ['http.fetch', 6_000],
      ['ai.chat', 6_000],
    ] as const
    assert.deepEqual(
      waits.map(([operation, forMs]) => whose(operation, forMs)),
      ['database', 'host', undefined, undefined, undefined],
    )
  })
})

describe('a call whose time went by waiting for the platform', () => {
  it('is the machine’s while this process was stopped for most of it', () => {
    const told = (lostMs: number, sinceMs: number, operation?: string): unknown => {
      const host = (): Promise<HostAnswer> => Promise.resolve({ ok: true, value: 'null' })
      const call = { ...({} as Call), host, limits: { ...tight, wallMs: 10_000 } }
      const pending = newPending(call, false, () => undefined)
      pending.since = performance.now() - sinceMs
      if (operation !== undefined) {
        void answerHostCall(
          pending,
          { number: '1', operation, argument: '{}', room: () => Promise.resolve() },
          () => undefined,
          quiet,
        )
      }
      const outcome = withFault({ ok: false, kind: 'timeout', ...cost }, pending, { since: () => lostMs })
      return !outcome.ok && outcome.kind === 'timeout' && [outcome.fault, outcome.awaited]
    }
    const own = [undefined, undefined]
    assert.deepEqual(
      [
        // Stopped in the middle, and before what the sandbox host had sent was read.
        ...[told(9_000, 15_000, 'cache.get'), told(0, 1, 'cache.get'), told(0, 1, 'storage.put')],
        ...[told(9_000, 15_000), told(4_000, 15_000, 'cache.get'), told(0, 10_000, 'cache.get')],
      ],
      [['machine', 'other'], ['machine', 'other'], ['machine', 'saving'], ['machine', 'other'], own, own],
    )
  })

  it('is whose it was for longer, when the platform stood still and then waited for a host call', () => {
    /** Of a host call that waited so long until now, in a call that began ten seconds ago; the platform went on three seconds ago. */
    const fault = (forMs: number, wallMs: number, stoodStillMs: number): unknown => {
      const now = performance.now()
      const pending = newPending({ ...({} as Call), limits: { ...tight, wallMs } }, false, () => undefined)
      pending.since = now - 10_000
      pending.asked = new Map([['1', { operation: 'db.run', argument: '{}', at: now - forMs }]])
      const since = (start: number): number => Math.max(0, Math.min(stoodStillMs, now - 3_000 - start))
      const outcome = withFault({ ok: false, kind: 'timeout', ...cost }, pending, { since })
      return !outcome.ok && outcome.fault
    }
    const faults = [0, 1_000, 6_000].map((stoodStillMs) => [
      fault(9_500, 10_000, stoodStillMs),
      fault(300, 400, stoodStillMs),
    ])
    assert.deepEqual(faults, [
      ['database', 'database'],
      ['database', 'machine'],
      ['machine', 'machine'],
    ])
  })

  it('tells whether what it had sent may be saved all the same', () => {
    const awaited = (operation: string, argument: object | string): unknown => {
      const host = (): Promise<HostAnswer> => new Promise(() => undefined)
      const call = { ...({} as Call), host, limits: { ...tight, wallMs: 10_000 } }
      const pending = newPending(call, false, () => undefined)
      const text = typeof argument === 'string' ? argument : JSON.stringify(argument)
      pending.since = performance.now() - 10_000
      void answerHostCall(
        pending,
        { number: '1', operation, argument: text, room: () => Promise.resolve() },
        () => undefined,
        quiet,
      )
      pending.asked = new Map([['1', { operation, argument: text, at: performance.now() - 6_000 }]])
      const outcome = withFault({ ok: false, kind: 'timeout', ...cost }, pending, noneLost)
      return !outcome.ok && outcome.kind === 'timeout' && outcome.awaited
    }
    const waits = [
      ['db.begin', {}, 'other'],
      ['db.query', { operation: 'select' }, 'other'],
      ['db.query', { operation: 'insert', tx: '1' }, 'other'],
      ['db.query', { operation: 'insert' }, 'saving'],
      ['db.query', 'null', 'saving'],
      ['db.query', 'no JSON', 'saving'],
      ['db.commit', { tx: '1' }, 'saving'],
      ['storage.get', {}, 'other'],
      ['storage.put', {}, 'saving'],
      ['events.publish', {}, 'saving'],
      ['http.fetch', {}, undefined],
    ] as const
    assert.deepEqual(
      waits.map(([operation, argument]) => awaited(operation, argument)),
      waits.map(([, , expected]) => expected),
    )
  })
})
