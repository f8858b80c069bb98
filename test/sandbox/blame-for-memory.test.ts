import { deepEqual, equal, ok } from 'node:assert/strict'

import type { GuestCall } from '../../sandbox/host/guest-call.ts'
import type { MemoryGauge } from '../../sandbox/host/memory-gauge.ts'
import { Watch } from '../../sandbox/host/watch.ts'
import { whoFilled, type Suspects } from '../../sandbox/host/who-filled.ts'
import { innocentFirst, layBlame } from '../../sandbox/supervisor/lay-blame.ts'
import { newPending, type PendingCall } from '../../sandbox/supervisor/pending-call.ts'
import type { Call, HostAnswer } from '../../sandbox/wire/call.ts'
import { handlerModule, patient, startSandbox } from './host-releases.ts'

const megabyte = 1024 * 1024
const long = { ...patient, cpuMs: 20_000 }
const laneMemoryMb = 120
const nothing: HostAnswer = { ok: true, value: 'null' }
const megabytes = (count: string): string =>
  `for (let i = 0; i < ${count}; i++) kept.push(new Array(131_072).fill(1.5))`
const spin = (forMs: number): string => `for (const end = Date.now() + ${forMs}; Date.now() < end; );`

/** Whom the deaths of a pool's hosts were laid to. */
function whoKilled() {
  const kills: [plugin: string, isCertain: boolean][] = []
  return {
    kills,
    onKill: ({ plugin, isCertain }: { plugin: string; isCertain: boolean }) => void kills.push([plugin, isCertain]),
  }
}

/** Watches a host that may take three hundred megabytes. */
function watchOf(gauge: Pick<MemoryGauge, 'added' | 'own' | 'collect'>, onAlarm?: (suspects: Suspects) => void): Watch {
  return new Watch(gauge, 300 * megabyte, {
    onAlarm: (_alarm, suspects) => onAlarm?.(suspects),
    onSpent: () => undefined,
    onLong: () => undefined,
  })
}

describe('the blame for memory', () => {
  const grown = (...megabytesOf: readonly (readonly [least: number, most: number])[]) => {
    const running = megabytesOf.map(([least, most], id) => ({
      ...{ call: { id } as GuestCall, leastBytes: least * megabyte, mostBytes: most * megabyte },
    }))
    const { calls, isSure } = whoFilled(running, 300 * megabyte)
    return [calls.map(({ id }) => id), isSure]
  }

  it('is that of the one who runs, and ran while half of it was added', () => {
    deepEqual(grown([280, 280]), [[0], true])
    deepEqual(grown([149, 160]), [[0], false])
  })

  it('is a suspicion of those who can have added much of it, and of nobody who cannot', () => {
    deepEqual(grown([67, 67], [108, 108], [2, 3]), [[1, 0], false])
    deepEqual(grown([276, 276], [0, 3]), [[0], false])
    // Who took it may hold it from before, and add the rest now: it is not sure of the one that ran all the time.
    deepEqual(grown([180, 180], [105, 105]), [[0, 1], false])
    // Those that can have added the most are the likeliest.
    deepEqual(grown([0, 95], [115, 115], [112, 112]), [[1, 2, 0], false])
  })

  it('is nobody’s who runs where none of them can have done it', () => {
    deepEqual(grown([1, 2], [29, 30]), [[], false])
    // The rest is held by others, who wait for something.
    deepEqual(grown([70, 80], [0, 60]), [[], false])
    deepEqual(grown(), [[], false])
  })

  it('is not certainly that of a call which began between two looks, for what was added between them', async () => {
    let added = 0
    const laid = Promise.withResolvers<Suspects>()
    const watch = watchOf({ added: () => added, own: () => 0, collect: () => undefined }, laid.resolve)
    const [evil, good] = ['evil', 'good'].map((code) => ({ header: { code } }) as GuestCall)
    ok(evil && good)
    watch.started(evil, 1_000, false, performance.now())
    watch.ended(evil, undefined)
    watch.started(good, 1_000, false, performance.now())
    added = 290 * megabyte
    deepEqual(await laid.promise, { calls: [good], isSure: false })
    watch.ended(good, undefined)
  })

  it('leaves those out of it who were not named, and is certain only where it was measured', () => {
    const inside = (plugin: string): PendingCall => newPending({ code: { plugin } } as Call, false, () => undefined)
    const pending = new Map(['evil', 'good', 'other'].map((plugin, id) => [id, inside(plugin)]))
    const laid = (named: readonly number[], isSure: boolean) => {
      const { plugins, isCertain } = layBlame(pending, { reason: 'memory', named, isSure, isAlone: false })
      return [[...plugins], isCertain]
    }
    deepEqual(laid([0], true), [['evil'], true])
    deepEqual(laid([0], false), [['evil'], false])
    deepEqual(laid([0, 2], true), [['evil', 'other'], false])
    deepEqual(laid([], false), [['evil', 'good', 'other'], false])
    // They go on in turn: the innocent, and the likeliest last.
    const order = (named: readonly number[]) => innocentFirst(pending, new Set(named)).map(([id]) => id)
    deepEqual(
      [order([1]), order([0, 2]), order([2, 0, 1])],
      [
        [0, 2, 1],
        [1, 2, 0],
        [1, 0, 2],
      ],
    )
  })
})

describe('garbage of a sandbox host itself', () => {
  it('is collected while the memory is scarce, where there is any worth the time', async () => {
    for (const own of [14, 16]) {
      const looks = Promise.withResolvers<undefined>()
      let collected = 0
      let left = 4
      const added = () => {
        if (--left === 0) looks.resolve(undefined)
        return 250 * megabyte
      }
      const watch = watchOf({ added, own: () => own * megabyte, collect: () => void collected++ })
      const call = { header: { code: 'any' } } as GuestCall
      watch.started(call, 10_000, false, performance.now())
      await looks.promise
      watch.ended(call, undefined)
      equal(collected > 0, own > 15)
    }
  })
})

describe('a neighbour of one that fills the memory', () => {
  it('is under no suspicion for being inside at the end', async () => {
    const { kills, onKill } = whoKilled()
    await using sandbox = await startSandbox({ laneMemoryMb, lanes: 1, onKill })
    const evil = await sandbox.install(
      'evil',
      handlerModule(`const kept = []; for (;;) { ${megabytes('1')}; ${spin(10)} }`),
    )
    const good = await sandbox.install('good', handlerModule(`${spin(40)} return 1`))
    await sandbox.call(good)
    let isOver = false
    const filling = sandbox.call(evil, { limits: long }).finally(() => (isOver = true))
    const calls = async (): Promise<void> => {
      while (!isOver) {
        const outcome = await sandbox.call(good)
        ok(outcome.ok, JSON.stringify(outcome))
      }
    }
    // Two at a time: one of them is inside at any moment.
    await Promise.all([calls(), calls()])
    const outcome = await filling
    equal(!outcome.ok && 'limit' in outcome && outcome.limit, 'memory')
    deepEqual(kills, [
      ['evil', false],
      ['evil', true],
    ])
  })

  for (const [how, word, expected] of [
    ['runs', 'void', [['evil', false]]],
    [
      'has run',
      'await',
      [
        ['evil', false],
        ['good', false],
      ],
    ],
  ] as const)
    it(`that finds none left is called again, when who took it ${how}`, async () => {
      const { kills, onKill } = whoKilled()
      await using sandbox = await startSandbox({ laneMemoryMb, lanes: 1, onKill })
      const fill = `const kept = []; ${megabytes('80')}; ${word} ctx.cache.get('full'); ${spin(4_000)} return kept.length`
      const evil = await sandbox.install('evil', handlerModule(fill))
      const good = await sandbox.install(
        'good',
        handlerModule('return request.of && new Array(request.of).fill(1.5).length'),
      )
      await sandbox.call(good)
      const filled = Promise.withResolvers<undefined>()
      const host = (): Promise<HostAnswer> => {
        filled.resolve(undefined)
        return Promise.resolve(nothing)
      }
      const filling = sandbox.call(evil, { limits: long, host })
      await filled.promise
      // Forty megabytes, where less than thirty are left.
      const outcome = await sandbox.call(good, { input: `{"of":${5 * megabyte}}`, limits: long })
      equal(outcome.ok && outcome.value, String(5 * megabyte))
      await filling
      deepEqual(kills.slice(0, expected.length), expected)
    })
})
