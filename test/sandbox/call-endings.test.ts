import assert from 'node:assert/strict'
import { CallEndings } from '../../sandbox/host/call-endings.ts'
import { GuestCall } from '../../sandbox/host/guest-call.ts'
import type { GuestIsolate } from '../../sandbox/host/isolate.ts'
import type { Seat } from '../../sandbox/host/seat.ts'
import type { Watch } from '../../sandbox/host/watch.ts'
import type { Ending } from '../../sandbox/wire/outcome.ts'
import { tight } from './host-releases.ts'

/** Calls that share an isolate, and what became of them. */
function together(...ids: readonly number[]) {
  const isolate = { isDead: false, calls: new Set<GuestCall>(), dispose: () => void (isolate.isDead = true) }
  const shared = isolate as unknown as GuestIsolate
  const header = { code: 'a@1', tenant: '1', kind: 'handler', name: 'run', limits: tight, mayWait: false, entry: '' }
  const calls = ids.map((id) => new GuestCall(id, header, ['{}', '{}'], 0))
  for (const call of calls) isolate.calls.add(call)
  const seats = new Map(calls.map((call): [number, Seat] => [call.id, { call, isolate: shared, context: undefined }]))
  const ended: (readonly [number, Ending])[] = []
  const seatedAnew: number[] = []
  const endings = new CallEndings(seats, {} as Watch, {
    finish: (call, ending) => void ended.push([call.id, ending]),
    findSeat: ({ call }) => void seatedAnew.push(call.id),
    onDead: () => undefined,
  })
  return { calls, seats, isolate, endings, ended, seatedAnew }
}

describe('an isolate that has to be stopped for one call', () => {
  it('lets a call that came meanwhile, and was not inside yet, take a seat in the next one', () => {
    const { calls, seats, endings, ended, seatedAnew } = together(1, 2)
    const [first] = calls
    assert.ok(first)
    first.mayHaveRun = true
    endings.spent(first)
    assert.deepEqual(endings.explain(first, new Error('Isolate was disposed')), {
      ok: false,
      kind: 'limit',
      limit: 'cpu',
    })
    assert.deepEqual([ended, seatedAnew, seats.get(2)?.isolate], [[], [2], undefined])
  })

  it('blames that call for it, and not another that is the first to meet it dead', () => {
    const { calls, endings, ended, seatedAnew } = together(1, 2)
    const [first, second] = calls
    assert.ok(first && second)
    first.mayHaveRun = second.mayHaveRun = true
    endings.spent(first)
    const lost = { ok: false, kind: 'killed', cause: 'memory' }
    assert.deepEqual(endings.explain(second, new Error('Isolate was disposed')), lost)
    assert.deepEqual([ended, seatedAnew], [[[1, { ok: false, kind: 'limit', limit: 'cpu' }]], []])
  })
})

describe('an isolate that ran out of memory', () => {
  it('blames the call that was inside, and others that had been inside are told what it was', () => {
    const { calls, isolate, endings, ended, seatedAnew } = together(1, 2, 3)
    const [first, second] = calls
    assert.ok(first && second)
    first.mayHaveRun = second.mayHaveRun = true
    isolate.isDead = true
    const guilty = { ok: false, kind: 'limit', limit: 'memory' }
    assert.deepEqual(endings.explain(first, new Error('Isolate was disposed')), guilty)
    assert.deepEqual([ended, seatedAnew], [[[2, { ok: false, kind: 'killed', cause: 'memory' }]], [3]])
  })
})
