import assert from 'node:assert/strict'

import { type Place, Places } from '../../sandbox/host/places.ts'

describe('the places of isolates that run at once', () => {
  it('are given to tenants in turn, however many plugins one of them has waiting', () => {
    const places = new Places()
    const inside: Place[] = []
    const came: string[] = []
    const take = (plugin: string, tenant: string): void => {
      const place = places.of(plugin)
      const come = (): void => {
        came.push(`${tenant} ${plugin}`)
        inside.push(place)
      }
      if (place.take(tenant, come)) inside.push(place)
    }
    const leave = (): void => inside.shift()?.leave()
    for (let at = 1; at <= 30; at++) take(`many${at}`, 'loud')
    leave()
    assert.deepEqual(came.splice(0), ['loud many5'])
    take('only', 'quiet')
    take('other', 'third')
    for (let at = 0; at < 4; at++) leave()
    assert.deepEqual(came.splice(0), ['quiet only', 'third other', 'loud many6', 'loud many7'])
    take('only', 'quiet')
    leave()
    leave()
    assert.deepEqual(came, ['quiet only', 'loud many8'])
  })

  it('are in turn also while others that run for long come and go', () => {
    const places = new Places()
    const came: string[] = []
    const inside: Place[] = []
    const long = places.of('long')
    long.take('loud', () => undefined)
    long.runsLong()
    long.leave()
    for (const [plugin, tenant] of [...Array.from({ length: 8 }, (_, at) => [`m${at}`, 'loud']), ['only', 'quiet']]) {
      const place = places.of(plugin ?? '')
      const come = (): void => void (came.push(tenant ?? ''), inside.push(place))
      if (place.take(tenant ?? '', come)) inside.push(place)
      if (came.length === 0 && place.plugin === 'm5') inside.shift()?.leave()
    }
    long.take('loud', () => undefined)
    long.leave()
    inside.shift()?.leave()
    assert.deepEqual(came, ['loud', 'quiet'])
  })
})
