// @both-back-ends
import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer, CallOptions } from '../../support/api.ts'
import type { TestKernel } from '../../support/kernel.ts'
import { until } from '../../support/until.ts'
import { askOf, done, isHeld, letGo, shown, startIdempotencyHost, unkept } from './idempotency-world.ts'

describe('an Idempotency-Key whose first request has not ended', () => {
  let host: TestKernel
  before(async () => void (host = await startIdempotencyHost()))
  after(() => host[Symbol.asyncDispose]())
  beforeEach(() => void (done.runs = 0))
  const ask = (path: string, key: string, options?: CallOptions) => askOf(host, path, key, options)

  it('lets the work end when the caller goes away, and has the answer for its return', async () => {
    const gone = new AbortController()
    const headers = {
      authorization: 'Bearer tenant:1:7',
      'idempotency-key': 'gone',
      'content-type': 'application/json',
    }
    const isGone = callerGone('/abandoned')
    const first = fetch(`${host.url}/abandoned`, { method: 'POST', headers, body: '{}', signal: gone.signal })
    await until(isHeld)
    gone.abort()
    await first.catch(() => undefined)
    await isGone
    letGo()
    let again: Answer | undefined
    await until(async () => {
      again = await ask('/abandoned', 'gone')
      return (again.body['reason'] as unknown) !== 'request_in_progress'
    })
    assert.deepEqual([again && shown(again), done.runs], [[200, 'true', { isAborted: false }], 1])
  })

  it('is never worked off again when its host died, though nobody knows how far it came', async () => {
    const first = ask('/slow', 'died')
    await until(isHeld)
    const row = host.kernel.database.knex('idempotency_keys').queryContext({ tenant: 1 }).where({ key: 'died' })
    // As it stands half a minute after the host's last sign of life, and then hours later.
    const hours = (count: number): Date => new Date(Date.now() - count * 3600_000)
    const lost = []
    for (const ago of [0, 23]) {
      await row.clone().update({ leased_until: hours(ago + 0.001), created_at: hours(ago + 0.1) })
      lost.push(await ask('/slow', 'died'))
    }
    await row.clone().update({ leased_until: null, created_at: hours(0.2) })
    lost.push(await ask('/slow', 'died'))
    assert.deepEqual(
      lost.map(({ status, body }) => [status, body['code'], body['reason']]),
      Array.from({ length: 3 }, () => [409, 4090, 'request_outcome_unknown']),
    )
    // It had only been slow.
    letGo()
    assert.deepEqual(
      [shown(await first), shown(await ask('/slow', 'died'))],
      [
        [200, null, { run: 1 }],
        [200, 'true', { run: 1 }],
      ],
    )
  })

  it('takes no answer from its caller when it cannot be kept', async () => {
    const { knex } = host.kernel.database
    unkept.lose = async () => knex.schema.renameTable('idempotency_keys', 'lost_keys')
    const answer = await ask('/unkept', 'a')
    await knex.schema.renameTable('lost_keys', 'idempotency_keys')
    assert.deepEqual(shown(answer), [200, null, { run: 1 }])
  })

  it('is refused while the first request done.runs', async () => {
    const first = ask('/slow', 'f')
    await until(isHeld)
    const second = await ask('/slow', 'f')
    letGo()
    assert.deepEqual(
      [second.body['code'], second.body['reason'], shown(await first), done.runs],
      [4090, 'request_in_progress', [200, null, { run: 1 }], 1],
    )
  })

  it('runs once for many requests at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('/notes', 'g')))
    assert.equal(done.runs, 1)
    assert.deepEqual(
      answers.filter(({ status }) => status !== 201 && status !== 409),
      [],
    )
  })

  it('of yesterday has nothing to say to whoever asks while the same is done anew', async () => {
    const [first] = await Promise.all([ask('/slow', 'k'), until(isHeld).then(letGo)])
    assert.deepEqual(shown(first), [200, null, { run: 1 }])
    const rows = host.kernel.database.knex('idempotency_keys').queryContext({ tenant: 1 }).where({ key: 'k' })
    await rows.update({ created_at: new Date(Date.now() - 25 * 3600_000) })
    const anew = ask('/slow', 'k')
    await until(isHeld)
    const second = await ask('/slow', 'k')
    letGo()
    assert.deepEqual([second.body['reason'], shown(await anew)], ['request_in_progress', [200, null, { run: 2 }]])
  })
})

/** Resolves when the server knows that the next caller of a path has gone. */
function callerGone(path: string): Promise<void> {
  const gone = Promise.withResolvers<void>()
  const requests = channel('http.server.request.start')
  const listener = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (request.url !== path) return
    requests.unsubscribe(listener)
    response.once('close', gone.resolve)
  }
  requests.subscribe(listener)
  return gone.promise
}
