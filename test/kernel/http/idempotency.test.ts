import assert from 'node:assert/strict'
import { created, defineError, defineRoute, type Route } from '#kernel'
import type { Answer, CallOptions } from '../../support/api.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { probeIdentity, probeRoutes } from '../../support/probe.ts'

const RefusedError = defineError(4002, 'probe_refused', 'The rule {rule} refuses it')
let runs = 0
let open: (() => void) | undefined
let lose: () => Promise<unknown> = () => Promise.resolve()

function post(path: string, handler: () => unknown, more: Partial<Route> = {}): Route {
  return defineRoute({ method: 'post', path, summary: path, schema: { body: { type: 'object' } }, handler, ...more })
}

const routes = [
  post('/notes', () => created({ run: (runs += 1) }, { location: `/notes/${runs}` })),
  post('/other', () => ({ run: (runs += 1) })),
  post('/free', () => ({ run: (runs += 1) }), { idempotent: false }),
  post('/open', () => ({ run: (runs += 1) }), { auth: 'none' }),
  post('/refused', () => {
    runs += 1
    throw new RefusedError({ rule: 'x' }, { details: { run: runs } })
  }),
  post('/broken', () => {
    runs += 1
    throw new Error('broken')
  }),
  post('/unkept', async () => {
    await lose()
    return { run: (runs += 1) }
  }),
  post('/upload', () => ({ run: (runs += 1) }), { accepts: ['multipart'] }),
  post('/slow', async () => {
    await new Promise<void>((resolve) => (open = resolve))
    return { run: (runs += 1) }
  }),
]

describe('an Idempotency-Key', () => {
  let host: TestKernel
  before(async () => {
    host = await startTestKernel({ plugins: [probeRoutes(...routes), probeIdentity], poolSize: 1 })
  })
  after(() => host[Symbol.asyncDispose]())
  beforeEach(() => (runs = 0))

  function ask(path: string, key: string, options: CallOptions = {}): Promise<Answer> {
    const headers = { 'idempotency-key': key }
    return host.request('POST', path, { token: 'tenant:1:7', body: {}, ...options, headers })
  }
  const shown = ({ status, headers, body }: Answer) => [
    status,
    headers['idempotent-replayed'] ?? null,
    body['data'] ?? body['code'],
  ]

  it('gives the first answer again, with its status and headers', async () => {
    const first = await ask('/notes', 'a')
    const second = await ask('/notes', 'a')
    assert.deepEqual(
      [shown(first), shown(second), second.headers['location'], runs],
      [[201, null, { run: 1 }], [201, 'true', { run: 1 }], '/notes/1', 1],
    )
  })

  it('is refused with another body', async () => {
    await ask('/notes', 'b')
    assert.deepEqual([shown(await ask('/notes', 'b', { body: { other: 1 } })), runs], [[409, null, 4099], 1])
  })

  it('is its caller’s and its route’s own', async () => {
    const answers = [
      await ask('/notes', 'c'),
      await ask('/notes', 'c', { token: 'tenant:1:8' }),
      await ask('/notes', 'c', { token: 'tenant:3:7' }),
      await ask('/notes', 'c', { token: 'platform:0:7' }),
      await ask('/other', 'c'),
    ]
    assert.deepEqual(
      answers.map(({ body }) => body['data']),
      [{ run: 1 }, { run: 2 }, { run: 3 }, { run: 4 }, { run: 5 }],
    )
  })

  it('repeats a refusal', async () => {
    const first = await ask('/refused', 'd')
    const second = await ask('/refused', 'd')
    const untraced = ({ body }: Answer) => ({ ...body, trace_id: '' })
    assert.deepEqual([first.status, second.status, untraced(second), runs], [400, 400, untraced(first), 1])
  })

  it('is free again after a failure of ours', async () => {
    const answers = [await ask('/broken', 'e'), await ask('/broken', 'e')]
    assert.deepEqual([answers.map(({ status }) => status), runs], [[500, 500], 2])
  })

  it('takes no answer from its caller when it cannot be kept', async () => {
    const { knex } = host.kernel.database
    lose = async () => knex.schema.renameTable('idempotency_keys', 'lost_keys')
    const answer = await ask('/unkept', 'a')
    await knex.schema.renameTable('lost_keys', 'idempotency_keys')
    assert.deepEqual(shown(answer), [200, null, { run: 1 }])
  })

  it('is refused while the first request runs', async () => {
    const first = ask('/slow', 'f')
    while (!open) await new Promise((resolve) => setImmediate(resolve))
    const second = await ask('/slow', 'f')
    open()
    assert.deepEqual(
      [second.body['code'], second.body['reason'], shown(await first), runs],
      [4090, 'request_in_progress', [200, null, { run: 1 }], 1],
    )
  })

  it('runs once for many requests at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('/notes', 'g')))
    assert.equal(runs, 1)
    assert.deepEqual(
      answers.filter(({ status }) => status !== 201 && status !== 409),
      [],
    )
  })

  it('means nothing where the route does not take it', async () => {
    const paths = ['/free', '/free', '/open', '/open']
    const answers = []
    for (const path of paths) answers.push((await ask(path, 'h')).body['data'])
    assert.deepEqual(answers, [{ run: 1 }, { run: 2 }, { run: 3 }, { run: 4 }])
    const file = { field: 'file', name: 'a', content: Buffer.from('a') }
    const uploads = [await ask('/upload', 'h', { file }), await ask('/upload', 'h', { file })]
    assert.deepEqual(uploads.map(shown), [
      [200, null, { run: 5 }],
      [200, null, { run: 6 }],
    ])
  })

  it('has 1 to 128 printable characters', async () => {
    const keys = ['x'.repeat(128), 'x'.repeat(129), 'a b']
    const answers = []
    for (const key of keys) answers.push((await ask('/other', key)).status)
    assert.deepEqual(answers, [200, 422, 422])
  })

  it('is kept sealed, in rows that only the tenant’s queries see', async () => {
    await ask('/notes', 'i')
    const { knex } = host.kernel.database
    const rows = (tenant: number | 'all') =>
      knex('idempotency_keys').queryContext({ tenant }).where({ key: 'i' }).select<{ answer: string }[]>('answer')
    assert.deepEqual([(await rows(3)).length, (await rows(1)).length], [0, 1])
    assert.equal((await rows(1))[0]?.answer.includes('run'), false)
    assert.equal((await knex('idempotency_keys').where({ key: 'i' })).length, 0)
  })

  it('is forgotten after a day', async () => {
    await ask('/other', 'j')
    await host.kernel.database
      .knex('idempotency_keys')
      .queryContext({ tenant: 1 })
      .where({ key: 'j' })
      .update({ created_at: new Date(Date.now() - 25 * 3600_000) })
    assert.deepEqual(shown(await ask('/other', 'j')), [200, null, { run: 2 }])
  })
})
