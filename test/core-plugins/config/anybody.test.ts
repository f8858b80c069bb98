import assert from 'node:assert/strict'
import { hasMeaning } from '../../../core-plugins/config/public/legal/has-meaning.ts'
import { prefersHtml } from '../../../core-plugins/config/public/legal/prefers-html.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { meaningful, meaningless } from './anybody-texts.ts'

const paths = { platform: '/api/public/platform/config', tenant: '/api/public/tenant/config' }

describe('what anybody may read', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  const get = (path: string, headers: Record<string, string> = {}) =>
    platform.test.api.get(path, { host: acme.host, headers })
  const write = (group: string, values: object) => acme.owner.put(`/tenant/configs/groups/${group}`, values)
  const legal = async (headers: Record<string, string> = {}) => get('/api/public/tenant/legal/privacy', headers)

  it('has a weak version, by which nothing is sent twice, in whatever form it was asked for', async () => {
    for (const path of Object.values(paths)) {
      const { status, headers } = await get(path)
      const etag = String(headers['etag'])
      assert.deepEqual([status, headers['cache-control'], /^W\/"[\w-]{22}"$/.test(etag)], [200, 'no-cache', true])
      const again = await Promise.all(
        [etag, etag.slice(2), `"other", ${etag}`, '*'].map((known) => get(path, { 'if-none-match': known })),
      )
      assert.deepEqual(
        again.map((answer) => [answer.status, answer.body, answer.headers['etag'], answer.headers['cache-control']]),
        again.map(() => [304, '', etag, 'no-cache']),
      )
      assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200)
      const bare = await get(path, { prefer: 'return=bare' })
      assert.equal('storage' in bare.body, true)
      const head = await platform.test.request('HEAD', path, { host: acme.host })
      assert.deepEqual([head.status, head.headers['etag'], head.body], [200, etag, ''])
    }
  })

  it('is new as soon as a value, a default or the tenant changes', async () => {
    const seen: unknown[] = []
    const look = async () => {
      const { body } = await get(paths.tenant)
      const {
        login_title: title,
        captcha_difficulty: difficulty,
        tenant_name: name,
      } = body['data'] as Record<string, unknown>
      seen.push([title, difficulty, name])
    }
    await look()
    await write('tenant_login', { login_title: 'Hello' })
    await look()
    await platform.admin.put('/admin/configs/groups/platform_captcha', { captcha_difficulty: 'easy' })
    await look()
    await platform.admin.put(`/admin/tenants/${acme.id}`, { name: 'Acme Ltd' })
    await look()
    assert.deepEqual(seen, [
      ['', 'medium', 'acme'],
      ['Hello', 'medium', 'acme'],
      ['Hello', 'easy', 'acme'],
      ['Hello', 'easy', 'Acme Ltd'],
    ])
  })

  it('tells where a tenant answers, in the words of the links in its messages', async () => {
    const { subdomain, subdomain_url: url } = (await get(paths.tenant)).body['data'] as Record<string, unknown>
    assert.deepEqual([subdomain, url], ['acme', 'http://acme.localhost:3000'])
  })

  it('says that there is a legal text exactly when it is served', async () => {
    for (const html of [...meaningless, ...meaningful]) {
      await write('tenant_legal', { privacy_policy: html })
      const [{ body }, served] = await Promise.all([get(paths.tenant), legal()])
      const expected = meaningful.includes(html)
      assert.deepEqual(
        [html, body['data']?.['privacy_policy_internal'], served.status, served.body['code']],
        [html, expected, expected ? 200 : 404, expected ? 0 : 4042],
      )
    }
  })

  it('has the text with its title, language and moment, in the tenant’s language', async () => {
    const html = '<h2>Data</h2><p onclick="x()">We keep <b>little</b>.<script>alert(1)</script></p>'
    const written = Date.now()
    await write('tenant_legal', { privacy_policy: html })
    await write('tenant_basic', { locale: 'zh-CN' })
    const { status, headers, body } = await legal()
    const { updated_at: updatedAt, ...text } = body['data'] as unknown as Record<string, string>
    assert.deepEqual(
      [status, headers['cache-control'], text],
      [
        200,
        'no-cache',
        { type: 'privacy', title: '隐私政策', html: '<h2>Data</h2><p>We keep <b>little</b>.</p>', locale: 'zh-CN' },
      ],
    )
    assert.ok(Math.abs(Date.parse(updatedAt ?? '') - written) < 60_000)
    assert.equal((await legal({ 'if-none-match': String(headers['etag']) })).status, 304)
    await write('tenant_basic', { locale: '' })
  })

  it('is a page for who asks for one, which runs nothing, and whose title is only text', async () => {
    await platform.admin.put(`/admin/tenants/${acme.id}`, { name: '</title><script>alert("x")</script>&' })
    await write('tenant_legal', { privacy_policy: '<p>Ours</p>' })
    const { status, headers, body } = await legal({
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      origin: 'http://localhost',
    })
    const page = body as unknown as string
    const policy = String(headers['content-security-policy'])
    assert.match(String(headers['vary']), /\bOrigin\b.*\bAccept\b/)
    assert.deepEqual(
      [status, headers['content-type'], headers['x-content-type-options']],
      [200, 'text/html; charset=utf-8', 'nosniff'],
    )
    assert.match(policy, /default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'; sandbox$/)
    assert.equal(/script-src|unsafe-eval/.test(policy), false)
    assert.ok(page.includes('<title>Privacy policy · &#60;/title&#62;&#60;script&#62;alert(&#34;x&#34;)'), page)
    assert.ok(page.includes('<main><h1>Privacy policy</h1><p>Ours</p></main>') && !page.includes('<script'), page)
  })

  it('of a tenant is nobody’s elsewhere', async () => {
    const { api } = platform.test
    const answers = await Promise.all(
      [paths.tenant, '/api/public/tenant/legal/privacy', '/api/public/tenant/legal/terms'].map((path) => api.get(path)),
    )
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body['code']]),
      answers.map(() => [404, 4041]),
    )
    const none = await get('/api/public/tenant/legal/terms', { accept: 'text/html' })
    assert.deepEqual([none.status, none.body['code'], none.body['reason']], [404, 4042, 'legal_text_empty'])
  })
})

describe('a text', () => {
  it('means something when it shows a character or a picture, also where nobody sanitised it', () => {
    const raw = [
      '<!-- text -->',
      '<!-- <img src="x.png"> -->',
      '<!-- never closed',
      '<img data-src="x.png">',
      '<img alt="words" src="">',
    ]
    assert.deepEqual([...raw, ...meaningless].filter(hasMeaning), [])
    assert.deepEqual(
      meaningful.filter((html) => !hasMeaning(html)),
      [],
    )
  })

  it('is a page only for who prefers one', () => {
    const page = [
      'text/html',
      'text/html,application/xhtml+xml,*/*;q=0.8',
      'text/html, application/json',
      'TEXT/HTML;level=1',
      'application/json;q=0.5, text/html',
    ]
    const data = [
      undefined,
      '',
      '*/*',
      'application/json',
      'application/json, text/html',
      'text/*',
      'text/html;q=0',
      'text/html;q=0.5, application/json',
    ]
    assert.deepEqual([...page, ...data].map(prefersHtml), [...page.map(() => true), ...data.map(() => false)])
  })
})
