import assert from 'node:assert/strict'
import { durationBucket, durationQuantile, durationBuckets } from '../../sandbox/metering/duration-histogram.ts'
import { measures } from '../../sandbox/metering/measures.ts'
import type { UsageEntry } from '../../sandbox/metering/metering.ts'
import type { Outcome } from '../../sandbox/wire/call.ts'
import { Meter } from '../../sandbox/metering/meter.ts'

const cost = { cpuMs: 2, wallMs: 5, hostCalls: 1 }
const route = { kind: 'handler', name: 'list' } as const
const job = { kind: 'schedule', name: 'nightly' } as const

describe('the meter', () => {
  it('counts calls, failures by class, cost and waiting for each tenant and each handler', () => {
    const meter = new Meter()
    const count = (tenantId: number, outcome: Outcome, target: typeof route | typeof job = route): void =>
      meter.open('a', tenantId, target).end(outcome, 7)
    count(1, { ok: true, value: 'null', ...cost })
    count(1, { ok: false, kind: 'threw', error: { name: 'PluginError', message: '', code: 'upstream' }, ...cost })
    count(1, { ok: false, kind: 'threw', error: { name: 'PluginError', message: '', code: 'not_found' }, ...cost })
    count(1, { ok: false, kind: 'timeout', ...cost }, job)
    count(2, { ok: false, kind: 'invalid', message: '', ...cost })
    count(2, { ok: false, kind: 'killed', cause: 'cpu', ...cost })
    const one = { calls: 1, cpuMs: 2, wallMs: 5, queueMs: 2, hostCalls: 1 }
    const times = (by: number): object =>
      Object.fromEntries(Object.entries(one).map(([name, amount]) => [name, amount * by]))
    assert.deepEqual(shown(meter.totals()), {
      'a tenant 1': { ...times(4), upstreamErrors: 1, limitErrors: 1, refusals: 1 },
      'a tenant 2': { ...times(2), pluginErrors: 1, hostErrors: 1 },
      'a handler handler list': { ...times(5), upstreamErrors: 1, refusals: 1, pluginErrors: 1, hostErrors: 1 },
      'a handler schedule nightly': { ...one, limitErrors: 1 },
    })
  })

  it('counts requests under the host as it was granted, and kills by reason', () => {
    const meter = new Meter()
    const usage = meter.open('a', 1, route)
    usage.addEgress('*.example.com', 10, 20)
    usage.addEgress('*.example.com', 1, 2)
    meter.recordKill('a', 'cpu')
    const { 'a host *.example.com': host, 'a kill cpu': kill, 'a tenant 1': tenant } = shown(meter.totals())
    const egress = { egressRequests: 2, egressSentBytes: 11, egressReceivedBytes: 22 }
    assert.deepEqual([host, tenant, kill], [egress, egress, { kills: 1 }])
  })

  it('tells each change once, to whatever account a call still holds', () => {
    const meter = new Meter()
    const usage = meter.open('a', 1, route)
    usage.add('statements', 3)
    assert.deepEqual(shown(meter.takeChanges())['a tenant 1'], { statements: 3 })
    assert.deepEqual(meter.takeChanges(), [])
    usage.add('statements', 4)
    assert.deepEqual(shown(meter.takeChanges())['a tenant 1'], { statements: 4 })
    assert.deepEqual(shown(meter.totals())['a tenant 1'], { statements: 7 })
  })

  it('lets go of tenants that did not call for an hour, once their calls were told', () => {
    let now = 0
    const meter = new Meter(() => now)
    const count = (tenantId: number): void => meter.open('a', tenantId, route).add('statements', 1)
    count(1)
    now = 1_800_000
    count(2)
    now = 3_600_001
    assert.deepEqual(shown(meter.takeChanges())['a tenant 1'], { statements: 1 })
    assert.deepEqual(Object.keys(shown(meter.totals())), ['a tenant 2', 'a handler handler list'])
    count(1)
    assert.deepEqual(shown(meter.takeChanges()), {
      'a tenant 1': { statements: 1 },
      'a handler handler list': { statements: 1 },
    })
  })

  it('keeps nothing of plugins and tenants that are gone, whatever their last calls still do', () => {
    const meter = new Meter()
    const ofPlugin = meter.open('a', 1, route)
    const ofTenant = meter.open('b', 1, route)
    meter.forget('a')
    meter.forgetTenant(1)
    ofPlugin.add('events')
    ofTenant.add('events')
    assert.deepEqual(Object.keys(shown(meter.totals())), ['b handler handler list'])
  })
})

describe('the histogram of durations', () => {
  it('finds a quantile within a tenth of the true one', () => {
    const durations = Array.from({ length: 1_000 }, (_, index) => 0.2 * 1.014 ** index)
    const buckets = new Uint32Array(durationBuckets)
    for (const duration of durations) {
      const bucket = durationBucket(duration)
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
    }
    for (const share of [0, 0.5, 0.95, 1]) {
      const exact = durations[Math.floor(share * 999)] ?? NaN
      const found = durationQuantile(buckets, share) ?? NaN
      assert.ok(Math.abs(found / exact - 1) < 0.1, `${share}: ${found} for ${exact}`)
    }
  })

  it('says nothing where nothing was counted, and has a place for every duration', () => {
    assert.equal(durationQuantile([0, 0], 0.5), undefined)
    assert.deepEqual([0, -1, 1e12].map(durationBucket), [0, 0, durationBuckets - 1])
  })
})

/** What is not zero, by plugin, kind and name. */
function shown(entries: readonly UsageEntry[]): Record<string, Record<string, number>> {
  return Object.fromEntries(
    entries.map(({ plugin, kind, name, counts }) => [
      `${plugin} ${kind} ${name}`,
      Object.fromEntries(
        measures.map((measure, index) => [measure, counts[index] ?? 0] as const).filter(([, n]) => n > 0),
      ),
    ]),
  )
}
