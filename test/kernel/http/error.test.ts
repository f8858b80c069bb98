import assert from 'node:assert/strict'
import { defineError, defineRoute, UnauthenticatedError, UnavailableError, type Logger } from '#kernel'
import { silentLog, startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { described, probeRoutes } from '../../support/probe.ts'

const TeapotError = defineError(4090, 'probe_teapot', 'A pot of {content} is in the way')

const routes = [
  defineRoute({
    method: 'get',
    path: '/teapot',
    summary: 'Refuses',
    auth: 'none',
    handler(ctx) {
      ctx.setHeader('cache-control', 'max-age=60')
      throw new TeapotError({ content: 'tea' }, { details: { since: 1 } })
    },
  }),
  defineRoute({
    method: 'get',
    path: '/bug',
    summary: 'Breaks',
    auth: 'none',
    handler() {
      throw new Error('password=hunter2')
    },
  }),
  defineRoute({
    method: 'get',
    path: '/full',
    summary: 'Finds the disk full',
    auth: 'none',
    handler() {
      throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })
    },
  }),
  defineRoute({
    method: 'get',
    path: '/thrown',
    summary: 'Throws what is no error',
    auth: 'none',
    // What a careless dependency may do.
    handler: () => ({ then: (_resolve: unknown, reject: (reason: unknown) => void) => reject(undefined) }),
  }),
  defineRoute({
    method: 'get',
    path: '/unavailable',
    summary: 'Is not there',
    auth: 'none',
    handler() {
      throw new UnavailableError({ details: { retry_after: 6.2 } })
    },
  }),
  defineRoute({
    method: 'post',
    path: '/token',
    summary: 'Gives tokens',
    auth: 'none',
    accepts: ['json', 'form'],
    grantsTokens: 'password',
    schema: { body: { type: 'object', required: ['username'], properties: { username: { type: 'string' } } } },
    handler() {
      throw new UnauthenticatedError()
    },
  }),
]
const chinese = {
  ...described('chinese'),
  messages: {
    'zh-CN': {
      probe_teapot: '{content}挡住了',
      'probe_teapot.cracked': '茶壶裂了',
      'There is no pot {pot} here': '这里没有茶壶 {pot}',
    },
  },
}
const faults = [
  { field: 'pot', rule: 'exists', message: 'There is no pot 9 here' },
  { field: 'pot', rule: 'unique', message: 'The pot stands twice' },
  { field: 'pot', rule: 'constructor', message: 'odd as it is' },
]
routes.push(
  defineRoute({
    method: 'get',
    path: '/teapot/cracked',
    summary: 'Fails',
    auth: 'none',
    handler() {
      throw new TeapotError({ content: 'tea' }, { details: { rule: 'cracked' } })
    },
  }),
  defineRoute({
    method: 'get',
    path: '/teapot/faults',
    summary: 'Fails',
    auth: 'none',
    handler() {
      throw new TeapotError({ content: 'There is no pot 7 here' }, { errors: faults })
    },
  }),
)
const logged: object[] = []
const log: Logger = { ...silentLog, error: (fields) => void logged.push(fields), child: () => log }

describe('an error', () => {
  let host: TestKernel
  before(async () => {
    host = await startTestKernel({ plugins: [probeRoutes(...routes), { ...chinese, setup: () => undefined }], log })
  })
  after(() => host[Symbol.asyncDispose]())

  const get = (path: string, headers: Record<string, string> = {}) => host.request('GET', path, { headers })

  it('has a code, a message, the trace id, a reason and what there is to say', async () => {
    const { status, headers, body } = await get('/teapot')
    assert.deepEqual(
      [status, headers['content-type'], headers['cache-control'], body],
      [
        409,
        'application/json; charset=utf-8',
        'no-store',
        {
          code: 4090,
          message: 'A pot of tea is in the way',
          trace_id: headers['x-trace-id'],
          reason: 'probe_teapot',
          details: { since: 1 },
        },
      ],
    )
  })

  it('speaks the language of the caller where somebody wrote it', async () => {
    const message = async (path: string, languages: string) =>
      (await get(path, { 'accept-language': languages })).body['message']
    assert.deepEqual(
      [
        await message('/teapot', 'zh-CN'),
        await message('/teapot', 'en;q=0.5, zh-TW;q=0.8'),
        await message('/teapot', 'zh;q=0.2, en'),
        await message('/teapot', 'fr'),
        await message('/nowhere', 'zh'),
      ],
      ['tea挡住了', 'tea挡住了', 'A pot of tea is in the way', 'A pot of tea is in the way', '接口不存在'],
    )
  })

  it('speaks it of the rule that was broken, of its fields and of sentences in it', async () => {
    const options = { 'accept-language': 'zh-CN' }
    assert.equal((await get('/teapot/cracked', options)).body['message'], '茶壶裂了')
    const { body } = await get('/teapot/faults', options)
    const told = (body['errors'] as unknown as { message: string }[]).map(({ message }) => message)
    assert.deepEqual([body['message'], ...told], ['这里没有茶壶 7挡住了', '这里没有茶壶 9', '不能重复', 'odd as it is'])
    const english = (await get('/teapot/faults')).body['errors'] as unknown as { message: string }[]
    assert.equal(english[0]?.message, 'There is no pot 9 here')
  })

  it('is a problem of RFC 9457 for callers that ask for one', async () => {
    const { headers, body } = await get('/teapot', { accept: 'application/problem+json' })
    const trace_id = headers['x-trace-id']
    assert.deepEqual(
      [headers['content-type'], body],
      [
        'application/problem+json',
        {
          type: 'urn:mtai:error:4090',
          title: 'Conflict',
          status: 409,
          detail: 'A pot of tea is in the way',
          instance: `urn:trace:${String(trace_id)}`,
          code: 4090,
          message: 'A pot of tea is in the way',
          trace_id,
          reason: 'probe_teapot',
          details: { since: 1 },
        },
      ],
    )
  })

  it('has the members of RFC 6749 where a form asked for a token', async () => {
    const form = { body: 'user=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const { body } = await host.request('POST', '/token', form)
    assert.deepEqual(
      [body['error'], body['error_description'], body['code']],
      ['invalid_request', 'Some fields are not valid', 4220],
    )
    assert.equal('error' in (await host.request('POST', '/token', { body: {} })).body, false)
    const headers = { ...form.headers, accept: 'application/problem+json' }
    const problem = (await host.request('POST', '/token', { ...form, headers })).body
    assert.deepEqual([problem['error'], problem['status']], ['invalid_request', 422])
  })

  it('is an invalid grant of RFC 6749, 400, where a form brought what opens nothing', async () => {
    const form = { body: 'username=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const { status, headers, body } = await host.request('POST', '/token', form)
    assert.deepEqual(
      [status, headers['www-authenticate'], body['error'], body['code'], body['reason']],
      [400, undefined, 'invalid_grant', 4010, 'unauthenticated'],
    )
    const json = await host.request('POST', '/token', { body: { username: '1' } })
    assert.deepEqual([json.status, json.headers['www-authenticate']], [401, 'Bearer realm="api"'])
    const elsewhere = await host.request('POST', '/nowhere', form)
    assert.deepEqual([elsewhere.status, 'error' in elsewhere.body], [404, false])
  })

  it('that nobody foresaw says nothing but its trace id, and is logged with its cause', async () => {
    logged.length = 0
    const bodies = [await get('/bug'), await get('/thrown')]
    for (const { body, headers } of bodies) {
      assert.deepEqual(body, {
        code: 5000,
        message: 'Internal error',
        trace_id: headers['x-trace-id'],
        reason: 'internal_error',
      })
    }
    const { err, ...fields } = logged[0] as { err: Error }
    assert.deepEqual(
      [err.message, fields],
      ['password=hunter2', { code: 5000, reason: 'internal_error', method: 'GET', path: '/bug' }],
    )
  })

  it('of a full disk says so, and is no bug in the log', async () => {
    logged.length = 0
    const { status, body } = await get('/full')
    assert.deepEqual([status, body['code'], body['reason'], logged], [507, 5070, 'storage_full', []])
  })

  it('of a service that is not there says when to come again', async () => {
    const { status, headers } = await get('/unavailable')
    assert.deepEqual([status, headers['retry-after']], [503, '7'])
  })

  it('says what a path knows', async () => {
    const { status, headers, body } = await host.request('DELETE', '/teapot')
    assert.deepEqual([status, headers['allow'], body['code']], [405, 'GET, HEAD, OPTIONS', 4050])
  })

  it('names the versions of the interface that there are', async () => {
    const known = await get('/nowhere', { 'api-version': '2026-11-21' })
    const unknown = await get('/nowhere', { 'api-version': '1999-01-01' })
    assert.deepEqual(
      [known.headers['api-version'], unknown.body['code'], unknown.body['reason'], unknown.body['details']],
      ['2026-11-21', 4000, 'unsupported_api_version', { supported: ['2026-11-21'] }],
    )
  })
})
