import assert from 'node:assert/strict'
import { defineService } from '#kernel'
import { ServiceTable } from '../../kernel/service.ts'

const clock = defineService<() => number>('clock.now')

describe('services', () => {
  it('are there as long as they are provided', () => {
    const services = new ServiceTable()
    const provided = services.provide('clock', clock, () => 7)
    assert.deepEqual([services.get(clock)(), services.ids], [7, ['clock.now']])
    provided[Symbol.dispose]()
    assert.deepEqual([services.find(clock), services.ids], [undefined, []])
    assert.throws(() => services.get(clock), { message: 'No enabled plugin provides the service clock.now' })
  })

  it('have one provider each', () => {
    const services = new ServiceTable()
    services.provide('clock', clock, () => 7)
    assert.throws(() => services.provide('watch', clock, () => 8), {
      message: 'watch provides clock.now, which clock provides already',
    })
  })

  it('are not taken away by an old registration', () => {
    const services = new ServiceTable()
    const first = services.provide('clock', clock, () => 7)
    first[Symbol.dispose]()
    services.provide('watch', clock, () => 8)
    first[Symbol.dispose]()
    assert.equal(services.get(clock)(), 8)
  })
})
