// @both-back-ends
import assert from 'node:assert/strict'
import { createSecretBox, generateFernetKey } from '../../../kernel/data/secret-box.ts'
import type { IdempotencyClaim, IdempotencyStore } from '../../../kernel/http/idempotency-store.ts'
import { runOnce } from '../../../kernel/http/idempotency.ts'
import type { RequestContext } from '../../../kernel/http/request-context.ts'
import type { Answer, CallOptions } from '../../support/api.ts'
import type { TestKernel } from '../../support/kernel.ts'
import { askOf, done, shown, startIdempotencyHost } from './idempotency-world.ts'

describe('an Idempotency-Key', () => {
  let host: TestKernel
  before(async () => void (host = await startIdempotencyHost()))
  after(() => host[Symbol.asyncDispose]())
  beforeEach(() => void (done.runs = 0))
  const ask = (path: string, key: string, options?: CallOptions) => askOf(host, path, key, options)

  it('gives the first answer again, with its status and headers', async () => {
    const first = await ask('/notes', 'a')
    const second = await ask('/notes', 'a')
    assert.deepEqual(
      [shown(first), shown(second), second.headers['location'], done.runs],
      [[201, null, { run: 1 }], [201, 'true', { run: 1 }], '/notes/1', 1],
    )
  })

  it('is refused with another body', async () => {
    await ask('/notes', 'b')
    assert.deepEqual([shown(await ask('/notes', 'b', { body: { other: 1 } })), done.runs], [[409, null, 4099], 1])
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
    const again = [
      await ask('/notes', 'c'),
      await ask('/notes', 'c', { token: 'tenant:1:8' }),
      await ask('/notes', 'c', { token: 'tenant:3:7' }),
      await ask('/notes', 'c', { token: 'platform:0:7' }),
      await ask('/other', 'c'),
    ]
    assert.deepEqual(again.map(shown), [
      [201, 'true', { run: 1 }],
      [201, 'true', { run: 2 }],
      [201, 'true', { run: 3 }],
      [201, 'true', { run: 4 }],
      [200, 'true', { run: 5 }],
    ])
  })

  it('repeats a refusal', async () => {
    const first = await ask('/refused', 'd')
    const second = await ask('/refused', 'd')
    const untraced = ({ body }: Answer) => ({ ...body, trace_id: '' })
    assert.deepEqual([first.status, second.status, untraced(second), done.runs], [400, 400, untraced(first), 1])
  })

  it('repeats a failure, and not the work before it', async () => {
    const paths = ['/broken', '/broken', '/taken', '/taken']
    const answers = []
    for (const path of paths) answers.push(shown(await ask(path, 'e')))
    assert.deepEqual(
      [answers, done.runs],
      [
        [
          [500, null, 5000],
          [500, 'true', 5000],
          [409, null, 4091],
          [409, 'true', 4091],
        ],
        2,
      ],
    )
  })

  it('knows no outcome where the failure said "come again"', async () => {
    for (const [path, status, code] of [
      ['/busy', 429, 4299],
      ['/away', 503, 5030],
    ] as const) {
      const first = await ask(path, 'come-again')
      const { status: second, body } = await ask(path, 'come-again')
      assert.equal(first.status, status)
      assert.deepEqual(
        [second, body['code'], body['reason'], body['details']],
        [409, 4090, 'request_outcome_unknown', { first: { status, code, reason: first.body['reason'] } }],
      )
    }
    assert.equal(done.runs, 2)
  })

  it('is free again where nothing was done', async () => {
    const paths = ['/untouched', '/untouched', '/unknown-caller', '/unknown-caller']
    const answers = []
    for (const path of paths) answers.push(shown(await ask(path, 'n')))
    assert.deepEqual([answers.map(([status]) => status), done.runs], [[503, 503, 401, 401], 4])
  })

  it('gives bytes again, and says of a stream that it is not kept', async () => {
    const asked = (path: string): Promise<Answer> => ask(path, 'raw')
    const [first, second] = [await asked('/bytes'), await asked('/bytes')]
    assert.deepEqual(
      [first.status, first.body as unknown, second.status, second.body as unknown, second.headers['content-type']],
      [202, 'run 1', 202, 'run 1', first.headers['content-type']],
    )
    const streamed = [await asked('/stream'), await asked('/stream')]
    assert.deepEqual(
      [streamed.map(({ status }) => status), streamed[0]?.body as unknown, streamed[1]?.body['reason'], done.runs],
      [[200, 409], 'run 2', 'answer_not_kept', 2],
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

  it('keeps a fingerprint that nobody can make without the secret of the platform', async () => {
    const prints: string[] = []
    for (const appSecret of ['one', 'two']) {
      const secrets = createSecretBox({ fernetKeys: [generateFernetKey()], appSecret: appSecret.padEnd(32, '.') })
      const store = {
        claim: ({ fingerprint }: IdempotencyClaim) => Promise.resolve(void prints.push(fingerprint)),
        vouch: () => ({ [Symbol.dispose]: () => undefined }),
        settle: () => Promise.resolve(),
      } as unknown as IdempotencyStore
      const ctx = { principal: { tenantId: 1, userId: 7 }, path: '/notes', search: '', rawBody: '{"password":"x"}' }
      await runOnce({ ...ctx, handlerHeaders: {} } as unknown as RequestContext, 'k', 'notes', store, secrets, () =>
        Promise.resolve(null),
      )
    }
    assert.deepEqual([prints.length, new Set(prints).size], [2, 2])
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
