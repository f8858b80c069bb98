import { deepEqual, equal, throws } from 'node:assert/strict'
import { AppError } from '#kernel'
import { toReply } from '../../sandbox/plugin/guest-response.ts'

describe('what a guest’s answer becomes', () => {
  const reply = (value: unknown, isPublic = false): unknown => {
    const { body, status, headers } = toReply('acme.notes', JSON.stringify(value), isPublic)
    return [status, body, headers]
  }

  it('is data, unless it is nothing but status, headers and body', () => {
    const plain = [
      null,
      1,
      'text',
      [],
      {},
      { status: 'ok' },
      { status: 200, total: 1 },
      { headers: {}, items: [] },
      { a: '"body"' },
    ]
    for (const value of plain) deepEqual(reply(value), [200, { kind: 'json-text', text: JSON.stringify(value) }, {}])
  })

  it('has its own status, headers and type', () => {
    const png = { 'content-type': 'image/png' }
    const raw = (content: unknown, contentType: string): unknown => ({ kind: 'raw', content, contentType })
    deepEqual(
      [
        reply({ status: 201, body: { id: 1 }, headers: { Location: '/x/1' } }),
        reply({ status: 204 }),
        reply({ body: [1] }),
        reply({ body: 'text', headers: { 'content-type': 'text/csv; charset=utf-8' } }),
        reply({ body: { base64: 'AAEC' }, headers: png }),
        reply({ body: { base64: 'AAEC' } }),
        reply({ body: { base64: 'AAEC' }, headers: { 'content-type': 'application/json' } }),
        reply({ status: 302, headers: { location: '/console?a=1#b' } }),
        reply({
          status: 302,
          headers: { location: 'https://demo.site.test:3000/api/public/attachments/1/access?exp=2&sign=x' },
        }),
        reply({ body: 1, headers: { 'cache-control': 'public, max-age=60' } }, true),
        reply({ body: 'x', headers: { ...png, 'content-disposition': 'attachment; filename="a b.png"' } }),
      ],
      [
        [201, { kind: 'data', data: { id: 1 } }, { location: '/x/1' }],
        [204, { kind: 'data', data: null }, {}],
        [200, { kind: 'data', data: [1] }, {}],
        [200, raw('text', 'text/csv; charset=utf-8'), {}],
        [200, raw(Buffer.from([0, 1, 2]), 'image/png'), {}],
        [200, raw(Buffer.from([0, 1, 2]), 'application/octet-stream'), {}],
        [200, { kind: 'data', data: { base64: 'AAEC' } }, {}],
        [302, { kind: 'redirect', location: '/console?a=1#b' }, {}],
        [302, { kind: 'redirect', location: '/api/public/attachments/1/access?exp=2&sign=x' }, {}],
        [200, { kind: 'data', data: 1 }, { 'cache-control': 'public, max-age=60' }],
        [200, raw('x', 'image/png'), { 'content-disposition': 'attachment; filename="a b.png"' }],
      ],
    )
  })

  it('is refused where it nests deeper than can be written again, or says a header of many lines', () => {
    const deep = `{"status":200,"body":${'['.repeat(200)}${']'.repeat(200)}}`
    const lines = { body: 'x', headers: { 'content-disposition': 'attachment; filename="a\r\nset-cookie: b"' } }
    const umlaut = { body: 'x', headers: { 'content-disposition': 'inline; filename="ä"' } }
    for (const text of [deep, JSON.stringify(lines), JSON.stringify(umlaut)])
      throws(() => toReply('acme.notes', text, false), { name: 'plugin_response_invalid' }, text.slice(0, 80))
  })

  it('is refused when the platform would not say it', () => {
    const header = (name: string, value: unknown): object => ({ body: 'x', headers: { [name]: value } })
    const answers = [
      ...[100, 206, 299, 303, 304, 0, -1, 1.5].map((status) => ({ status, body: 1 })),
      ...[
        'text/html',
        'image/svg+xml',
        'application/xhtml+xml',
        'text/javascript',
        'text/xml',
        'x',
        'text/plain; charset=utf-7',
      ].map((type) => header('content-type', type)),
      ...[
        '//evil.test',
        'https://evil.test',
        'https://evil.test/api/public/attachment/1',
        'https://evil.test/a/api/public/attachments/1',
        'https://evil.test?/api/public/attachments/1',
        'ftp://evil.test/api/public/attachments/1',
        '/\\evil.test',
        '\\evil',
        'javascript:x',
        'x',
        '',
        '/a\r\nx: y',
        '/\t/evil.test',
        '/a b',
      ].map((location) => ({ status: 302, headers: { location } })),
      ...[
        'set-cookie',
        'Set-Cookie',
        'access-control-allow-origin',
        'content-security-policy',
        'x-frame-options',
        '__proto__',
        'x',
        '',
      ].map((name) => ({ body: 1, headers: JSON.parse(`{${JSON.stringify(name)}:"x"}`) as object })),
      ...[
        header('cache-control', 'public'),
        header('cache-control', 's-maxage=9'),
        header('cache-control', 'x"y'),
        header('cache-control', 1),
      ],
      ...[header('content-disposition', 'attachment; filename="a\\""'), header('content-disposition', 'x')],
      ...[
        { body: 1, headers: [] },
        { body: 1, headers: 'x' },
        { status: 302 },
        { body: { a: 1 }, headers: { 'content-type': 'text/plain' } },
      ],
    ]
    for (const answer of answers) {
      throws(() => reply(answer), { code: 5029 }, JSON.stringify(answer))
    }
  })

  it('is an error from status 400 on, in either form', () => {
    const errorOf = (value: unknown): unknown => {
      try {
        return reply(value)
      } catch (error) {
        const { code, reason, message, details } = error as AppError
        return [code, reason, message, details]
      }
    }
    deepEqual(
      [
        errorOf({ status: 404, body: { reason: 'no_note', message: 'Gone', details: { id: 1 } } }),
        errorOf({ status: 409, reason: 'taken', message: 'Taken' }),
        errorOf({ status: 400, body: 'Why' }),
        errorOf({ status: 422 }),
        errorOf({ status: 418, body: 'Teapot' }),
        errorOf({ status: 503 }),
      ],
      [
        [4040, 'plugin.acme.notes.no_note', 'Gone', { id: 1 }],
        [4090, 'plugin.acme.notes.taken', 'Taken', undefined],
        [4002, 'plugin.acme.notes.bad_request', 'Why', undefined],
        [4220, 'plugin.acme.notes.invalid', 'The plugin refused the request', undefined],
        [5004, 'plugin_handler_failed', 'The plugin failed', undefined],
        [5004, 'plugin_handler_failed', 'The plugin failed', undefined],
      ],
    )
    equal(errorOf({ status: 404, body: 'x' }) instanceof AppError, false)
  })
})
