import assert from 'node:assert/strict'
import type { CallOptions } from '../../support/api.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { probeRoutes } from '../../support/probe.ts'
import { routes } from './input-routes.ts'

describe('what comes in', () => {
  let host: TestKernel
  before(async () => {
    host = await startTestKernel({ plugins: [probeRoutes(...routes)] })
  })
  after(() => host[Symbol.asyncDispose]())

  async function ask(method: 'GET' | 'POST', path: string, options?: CallOptions): Promise<unknown> {
    const { status, body } = await host.request(method, path, options)
    return status === 200 ? body['data'] : `${status}/${JSON.stringify(body['code'])}`
  }
  const json = (body: string | Buffer, type = 'application/json'): CallOptions => ({
    body,
    headers: { 'content-type': type },
  })

  it('has texts of paths and queries turned into what the schema says', async () => {
    assert.deepEqual(await ask('GET', '/things/7?page=2&deep=true&tags=a'), {
      params: { id: 7 },
      query: { page: 2, deep: true, tags: ['a'] },
    })
    assert.deepEqual(await ask('GET', '/things/7'), { params: { id: 7 }, query: { page: 1 } })
  })

  it('keeps queries without a schema as texts, repeated ones as lists', async () => {
    assert.deepEqual(await ask('GET', '/plain?a=1&b=x+y%2B&a=2&c'), { a: ['1', '2'], b: 'x y+', c: '' })
  })

  it('is refused with each parameter that does not fit', async () => {
    const { status, body } = await host.request('GET', '/things/0?page=x')
    assert.deepEqual(
      [status, body['code'], body['errors']],
      [422, 4221, [{ field: 'id', rule: 'min_value', message: 'must be >= 1', params: { min: 1 } }]],
    )
    const second = await host.request('GET', '/things/1?page=x&deep=maybe')
    assert.deepEqual(second.body['errors'], [
      { field: 'page', rule: 'type', message: 'must be integer', params: { type: 'integer' } },
      { field: 'deep', rule: 'type', message: 'must be boolean', params: { type: 'boolean' } },
    ])
  })

  it('is refused where a query is broken or holds a NUL', async () => {
    const paths = ['/plain?a=%', '/plain?a=%ff', '/plain?a=%00', '/plain?%00=1', '/things/%00', '/things/%zz']
    assert.deepEqual(
      await Promise.all(paths.map((path) => ask('GET', path))),
      paths.map(() => '422/4221'),
    )
  })

  it('has defaults of a body filled in', async () => {
    assert.deepEqual(await ask('POST', '/notes', { body: { title: 'Hello' } }), { title: 'Hello', stars: 3 })
  })

  it('is refused with every field of a body that does not fit', async () => {
    const body = { title: 'x', stars: '4', email: 'no', owner: {}, extra: 1 }
    const answer = await host.request('POST', '/notes', { body })
    assert.deepEqual(
      [answer.status, { ...answer.body, trace_id: '' }],
      [
        422,
        {
          code: 4220,
          message: 'Some fields are not valid',
          trace_id: '',
          reason: 'validation_failed',
          errors: [
            { field: 'extra', rule: 'unknown_field', message: 'is not known here' },
            {
              field: 'title',
              rule: 'min_length',
              message: 'must NOT have fewer than 2 characters',
              params: { min: 2 },
            },
            { field: 'stars', rule: 'type', message: 'must be integer', params: { type: 'integer' } },
            { field: 'email', rule: 'format', message: 'must match format "email"', params: { format: 'email' } },
            { field: 'owner.id', rule: 'required', message: 'is required' },
          ],
        },
      ],
    )
  })

  it('is refused with the first fault where a body is large', async () => {
    const { body } = await host.request('POST', '/notes', { body: { title: 'x'.repeat(70_000), stars: '4' } })
    assert.deepEqual(body['errors'], [
      { field: 'title', rule: 'max_length', message: 'must NOT have more than 10 characters', params: { max: 10 } },
    ])
  })

  it('is refused in the caller’s language', async () => {
    const { body } = await host.request('POST', '/notes', {
      body: { title: 'x', stars: 9, email: 'no', owner: 1, extra: 1 },
      headers: { 'accept-language': 'zh-CN' },
    })
    const errors = body['errors'] as unknown as readonly { field: string; message: string }[]
    assert.deepEqual(
      [body['message'], errors.map(({ field, message }) => [field, message])],
      [
        '部分字段无效',
        [
          ['extra', '未知字段'],
          ['title', '长度不能少于 2'],
          ['stars', '不能大于 5'],
          ['email', '不是有效的 email'],
          ['owner', '类型应为 object'],
        ],
      ],
    )
  })

  it('names the missing fields of an absent body', async () => {
    const { body } = await host.request('POST', '/notes')
    assert.deepEqual(body['errors'], [{ field: 'title', rule: 'required', message: 'is required' }])
  })

  it('takes a form where the route does', async () => {
    const form = json('a=1&b=x%20y', 'application/x-www-form-urlencoded')
    assert.deepEqual(await ask('POST', '/forms', form), { a: '1', b: 'x y' })
    assert.equal(await ask('POST', '/notes', form), '415/4150')
  })

  it('takes JSON in UTF-8 under its names and nothing else', async () => {
    const types = [
      'application/json; charset=utf-8',
      'application/JSON;charset="UTF-8"',
      'application/merge-patch+json',
    ]
    for (const type of types) assert.deepEqual(await ask('POST', '/any', json('{"a":"中"}', type)), { a: '中' })
    assert.deepEqual(
      [
        await ask('POST', '/any', json('{}', 'application/json; charset=latin1')),
        await ask('POST', '/any', json('{}', 'text/plain')),
        await ask('POST', '/any', json('<a/>', 'application/xml')),
        await ask('POST', '/any', {
          body: '{}',
          headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        }),
      ],
      ['400/4001', '415/4150', '415/4150', '415/4150'],
    )
  })

  it('is refused where a body is broken or would harm those behind', async () => {
    const bodies = [
      '{',
      '{"a":1}}',
      'undefined',
      "{'a':1}",
      '{"a":NaN}',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from('{"a":1}', 'utf16le'),
      '{"a":"\\u0000"}',
      '{"\\u0000":1}',
      '{"a":"\\ud800"}',
      '{"__proto__":{"admin":true}}',
      '{"a":[{"\\u005f_proto__":{}}]}',
      '['.repeat(101) + ']'.repeat(101),
      '['.repeat(400_000) + ']'.repeat(400_000),
    ]
    for (const body of bodies)
      assert.equal(await ask('POST', '/any', json(body)), '400/4001', String(body).slice(0, 40))
    const forms = ['a=%', 'a=%ff', 'a=%00', Buffer.from([0x61, 0x3d, 0xff])]
    for (const body of forms) {
      assert.equal(await ask('POST', '/forms', json(body, 'application/x-www-form-urlencoded')), '400/4001')
    }
    assert.equal(({} as { admin?: boolean }).admin, undefined)
  })

  it('lets the last of two equal keys count, and nests to a depth of a hundred', async () => {
    assert.deepEqual(await ask('POST', '/any', json('{"a":1,"a":2,"\\u0062":"\\ud83d\\ude00"}')), { a: 2, b: '😀' })
    const nested = '['.repeat(100) + ']'.repeat(100)
    assert.equal(JSON.stringify(await ask('POST', '/any', json(nested))), nested)
  })

  it('is refused where a body is too large, told before or not', async () => {
    const large = JSON.stringify('x'.repeat(1024 * 1024))
    const form = `a=${'x'.repeat(64 * 1024)}`
    function* chunks(): Generator<Buffer> {
      yield Buffer.from('"')
      for (let at = 0; at < 40; at += 1) yield Buffer.alloc(64 * 1024, 0x78)
      yield Buffer.from('"')
    }
    const chunked = await fetch(`${host.url}/any`, {
      method: 'POST',
      body: ReadableStream.from(chunks()),
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    })
    assert.deepEqual(
      [
        await ask('POST', '/any', json(large)),
        await ask('POST', '/forms', json(form, 'application/x-www-form-urlencoded')),
        `${chunked.status}/${String(((await chunked.json()) as { code: number }).code)}`,
      ],
      ['413/4130', '413/4130', '413/4130'],
    )
  })

  it('forgets a body that the route does not ask for', async () => {
    assert.equal(await ask('POST', '/none', json('{', 'text/plain')), null)
  })
})
