// @both-back-ends
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import {
  created,
  defineError,
  defineRoute,
  raw,
  UnauthenticatedError,
  withoutEffect,
  type Route,
  type RouteContext,
} from '#kernel'
import { createSecretBox, generateFernetKey } from '../../../kernel/data/secret-box.ts'
import type { IdempotencyClaim, IdempotencyStore } from '../../../kernel/http/idempotency-store.ts'
import { runOnce } from '../../../kernel/http/idempotency.ts'
import type { RequestContext } from '../../../kernel/http/request-context.ts'
import type { Answer, CallOptions } from '../../support/api.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { probeIdentity, probeRoutes } from '../../support/probe.ts'
import { until } from '../../support/until.ts'

const RefusedError = defineError(4002, 'probe_refused', 'The rule {rule} refuses it')
const TakenError = defineError(4091, 'probe_taken', 'It is taken')
const BusyError = defineError(4299, 'probe_busy', 'Too many')
const AwayError = defineError(5030, 'probe_away', 'Away')
let runs = 0
let open: (() => void) | undefined
const isHeld = (): boolean => open !== undefined
/** Lets the handler that waits go on. */
const letGo = (): void => {
  open?.()
  open = undefined
}
let lose: () => Promise<unknown> = () => Promise.resolve()

function post(path: string, handler: (ctx: RouteContext) => unknown, more: Partial<Route> = {}): Route {
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
  failing('/taken', () => new TakenError()),
  failing('/busy', () => new BusyError()),
  failing('/away', () => new AwayError()),
  failing('/untouched', () => withoutEffect(new AwayError())),
  failing('/unknown-caller', () => new UnauthenticatedError()),
  post('/bytes', () => raw(`run ${(runs += 1)}`, 'text/plain', { status: 202 })),
  post('/stream', () => raw(Readable.from([`run ${(runs += 1)}`]), 'text/plain')),
  post('/abandoned', async (ctx) => {
    runs += 1
    await new Promise<void>((resolve) => (open = resolve))
    return { isAborted: ctx.signal.aborted }
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

/** Fails after work that cannot be undone. */
function failing(path: string, error: () => Error): Route {
  return post(path, () => {
    runs += 1
    throw error()
  })
}

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
    assert.deepEqual([first.status, second.status, untraced(second), runs], [400, 400, untraced(first), 1])
  })

  it('repeats a failure, and not the work before it', async () => {
    const paths = ['/broken', '/broken', '/taken', '/taken']
    const answers = []
    for (const path of paths) answers.push(shown(await ask(path, 'e')))
    assert.deepEqual(
      [answers, runs],
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
    assert.equal(runs, 2)
  })

  it('is free again where nothing was done', async () => {
    const paths = ['/untouched', '/untouched', '/unknown-caller', '/unknown-caller']
    const answers = []
    for (const path of paths) answers.push(shown(await ask(path, 'n')))
    assert.deepEqual([answers.map(([status]) => status), runs], [[503, 503, 401, 401], 4])
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
      [streamed.map(({ status }) => status), streamed[0]?.body as unknown, streamed[1]?.body['reason'], runs],
      [[200, 409], 'run 2', 'answer_not_kept', 2],
    )
  })

  it('lets the work end when the caller goes away, and has the answer for its return', async () => {
    const gone = new AbortController()
    const headers = {
      authorization: 'Bearer tenant:1:7',
      'idempotency-key': 'gone',
      'content-type': 'application/json',
    }
    const first = fetch(`${host.url}/abandoned`, { method: 'POST', headers, body: '{}', signal: gone.signal })
    await until(isHeld)
    gone.abort()
    await first.catch(() => undefined)
    letGo()
    let again: Answer | undefined
    await until(async () => {
      again = await ask('/abandoned', 'gone')
      return (again.body['reason'] as unknown) !== 'request_in_progress'
    })
    assert.deepEqual([again && shown(again), runs], [[200, 'true', { isAborted: false }], 1])
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
    lose = async () => knex.schema.renameTable('idempotency_keys', 'lost_keys')
    const answer = await ask('/unkept', 'a')
    await knex.schema.renameTable('lost_keys', 'idempotency_keys')
    assert.deepEqual(shown(answer), [200, null, { run: 1 }])
  })

  it('is refused while the first request runs', async () => {
    const first = ask('/slow', 'f')
    await until(isHeld)
    const second = await ask('/slow', 'f')
    letGo()
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
