import { deepEqual } from 'node:assert/strict'
import { GuestCall } from '../../sandbox/host/guest-call.ts'
import { HostCalls } from '../../sandbox/host/host-calls.ts'
import type { Channel } from '../../sandbox/wire/channel.ts'
import { Credits } from '../../sandbox/wire/credits.ts'

describe('credits', () => {
  it('of a guest that got around the glue take no room from others: who asks again before it may is ended', () => {
    const ended: number[] = []
    const granted: number[] = []
    const calls = new HostCalls({ whenSent: () => undefined } as unknown as Channel, {
      grant: ({ id }) => void granted.push(id),
      answer: () => undefined,
      end: ({ id }) => void ended.push(id),
      spent: () => undefined,
      pluginOf: ({ id }) => `plugin${id}`,
    })
    const call = (id: number): GuestCall => new GuestCall(id, {} as GuestCall['header'], ['', ''], 0)
    const [one, two, three, four, late] = [call(1), call(2), call(3), call(4), call(5)]
    // As much as a lane may have under way.
    for (const each of [one, two, three, four]) calls.receive(each, 'ask', 1_048_576, '', '')
    for (let n = 0; n < 3; n++) calls.receive(late, 'ask', 1_048_576, '', '')
    deepEqual({ granted, ended }, { granted: [1, 2, 3, 4], ended: [5, 5] })
  })

  it('are those of a call, a plugin and the lane, and plugins take turns', () => {
    const credits = new Credits({ call: 4, plugin: 6, lane: 10 })
    const came: string[] = []
    const [a1, a2, b] = [
      { plugin: 'a', bytes: 0 },
      { plugin: 'a', bytes: 0 },
      { plugin: 'b', bytes: 0 },
    ]
    const take = (name: string, account: typeof a1, bytes: number): void =>
      credits.take(account, bytes, () => void came.push(name))
    take('a1 three', a1, 3)
    take('a1 two', a1, 2) // callAnswerBytes, callMessageBytes
    take('a2 three', a2, 3)
    take('a2 one', a2, 1) // pluginAnswerBytes, pluginMessageBytes
    take('b four', b, 4)
    take('b five', b, 5) // laneAnswerBytes, laneMessageBytes
    deepEqual(came.splice(0), ['a1 three', 'a2 three', 'b four'])
    credits.giveLane(3)
    credits.give(a1, 3)
    deepEqual(came.splice(0), ['a1 two', 'a2 one'])
    credits.giveLane(4)
    credits.give(b, 4)
    deepEqual(came.splice(0), [])
    // What is larger than a call may have goes alone.
    credits.giveLane(6)
    deepEqual(came.splice(0), ['b five'])
    for (const account of [a1, a2, b]) credits.close(account)
    credits.giveLane(5)
    deepEqual([came, credits.inUse], [[], 0])
  })
})
