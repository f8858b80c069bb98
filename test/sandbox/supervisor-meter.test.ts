import assert from 'node:assert/strict'

import { Meter } from '../../sandbox/supervisor/meter.ts'

describe('the meter', () => {
  it('counts calls, errors by class and cost for each plugin and tenant', () => {
    const meter = new Meter()
    const cost = { cpuMs: 2, wallMs: 5, hostCalls: 1 }
    const error = { name: 'PluginError', message: '', code: 'upstream' }
    meter.record('a', '1', { ok: true, value: 'null', ...cost })
    meter.record('a', '1', { ok: false, kind: 'threw', error, ...cost })
    meter.record('a', '1', { ok: false, kind: 'timeout', ...cost })
    meter.record('a', '2', { ok: false, kind: 'invalid', message: '', ...cost })
    meter.record('b', '1', { ok: false, kind: 'killed', cause: 'cpu', ...cost })
    const none = { plugin: 0, limit: 0, upstream: 0, host: 0 }
    const one = { calls: 1, cpuMs: 2, wallMs: 5, hostCalls: 1 }
    assert.deepEqual(meter.usage(), [
      {
        plugin: 'a',
        tenant: '1',
        calls: 3,
        cpuMs: 6,
        wallMs: 15,
        hostCalls: 3,
        errors: { ...none, upstream: 1, limit: 1 },
      },
      { plugin: 'a', tenant: '2', ...one, errors: { ...none, plugin: 1 } },
      { plugin: 'b', tenant: '1', ...one, errors: { ...none, host: 1 } },
    ])
    meter.recordKill('a', 'cpu')
    meter.recordKill('a', 'cpu')
    assert.deepEqual(meter.kills('a'), { cpu: 2 })
    meter.forget('a')
    assert.deepEqual([meter.usage().map(({ plugin }) => plugin), meter.kills('a')], [['b'], {}])
  })
})
