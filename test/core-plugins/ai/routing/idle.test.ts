import assert from 'node:assert/strict'
import { send, tableOf, target, wish } from './world.ts'

const [gone, paused, busy] = [target('gone'), target('paused'), target('busy')]
const there = new Set([paused, busy].flatMap(({ key, providerId }) => [key, providerId]))

describe('what is known of targets', () => {
  it('goes an hour after they were used last, but for what is under way, or left alone and there', () => {
    const { table, pass } = tableOf()
    const known = () => [...table.byProvider().keys()]
    for (let each = 0; each < 100; each++) {
      const name = target(`t${each}`)
      table.survey([name], 'balanced', wish)
      table.budget(name.id).request(0.2, 1)
      send(table, name, 'ok')
    }
    for (const each of [gone, paused]) {
      send(table, each, 'connect', 'connect', 'connect', 'connect', 'connect')
      table.target(each.key).breaker.authFailed('401')
    }
    const call = table.begin(busy, wish)
    pass(3_599)
    table.letGo(there)
    assert.equal(known().length, 103)
    assert.equal(table.budget('t1').ratio, 0)
    pass(2)
    table.letGo(there)
    assert.deepEqual(known(), ['p-paused', 'p-busy'])
    assert.notEqual(table.target(paused.key).breaker.state, 'closed')
    assert.equal(table.inFlight, 1)
    call.end({ end: 'ok' })
    table.letGo(there)
    assert.deepEqual(known(), ['p-paused'])
  })
})
