import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { objectStorage } from '../../../core-plugins/storage/contract.ts'
import { scriptFence } from '../../../sandbox/pages/script-fence.ts'
import type { Answer, Body } from '../../support/api.ts'
import type { TestPlatform, TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { packGiver, page } from './plugin.ts'
import { startWhole, useIn } from './world.ts'

const plugin = 'acme.giver'
const mine = `/tenant/plugins/${plugin}/api`

describe('what plugins ask of the platform, and the places they fill', () => {
  let platform: TestPlatform
  let one: TestTenant
  let two: TestTenant
  let readerId: number
  let driver: string

  before(async () => {
    platform = await startWhole()
    await installAndEnable(platform.admin, await packGiver())
    one = await platform.createTenant('one')
    two = await platform.createTenant('two')
    for (const tenant of [one, two]) await useIn(platform, tenant, plugin)
    readerId = (await platform.createUser(one, 'reader@one.test', ['tenant_user'])).id
    driver = `plg_${createHash('sha256').update(plugin).digest('hex').slice(0, 8)}_shelf`
  })
  after(() => platform[Symbol.asyncDispose]())

  const reasonOf = ({ body }: Answer): unknown => body['details']?.['reason'] ?? body['code']

  it('a notification reaches a user of the tenant, with a link to one of the plugin’s own pages', async () => {
    const reader = await platform.signIn(one.id, readerId)
    const message = { userId: readerId, title: 'Done', body: 'Two\nlines', level: 'success', link: '/book?entry=5' }
    const { id } = dataOf(await one.owner.post(`${mine}/notify`, message))
    const { items, unread } = dataOf(await reader.get('/notifications'))
    const [first] = items as unknown as Record<string, unknown>[]
    const shown = Object.fromEntries(Object.entries(first ?? {}).filter(([name]) => name !== 'created_at'))
    assert.deepEqual(shown, {
      ...{ id, title: 'Done', body: 'Two\nlines', level: 'success', link: `/plugins/${plugin}/book?entry=5` },
      ...{ source: `plugin.${plugin}`, kind: `plugin.${plugin}`, read_at: null },
    })
    assert.equal(unread, 1)
  })

  it('a notification goes to nobody else, nowhere else, and says no more than plain text', async () => {
    const send = async (more: object, by = one) =>
      reasonOf(await by.owner.post(`${mine}/notify`, { userId: readerId, title: 'x', ...more }))
    assert.deepEqual(
      [
        await send({}, two),
        await send({ userId: platform.adminId + 1_000 }),
        await send({ userId: 'x' }),
        await send({ title: 'x'.repeat(201) }),
        await send({ title: ' ' }),
        await send({ title: 'a\u202eb' }),
        await send({ body: 'x'.repeat(2_001) }),
        await send({ level: 'loud' }),
        ...(await Promise.all(
          ['https://evil.test', '//evil.test', '/other', '/book/../../x', 'book', '/book?\\x'].map((link) =>
            send({ link }),
          ),
        )),
      ],
      [
        ...['notification_recipient', 'notification_recipient', 'argument_invalid', 'title_too_long'],
        ...['notification_invalid', 'notification_invalid', 'body_too_long', 'argument_invalid'],
        ...Array<string>(6).fill('link_not_own'),
      ],
    )
  })

  it('a call of the platform notifies its administrators only, and a tenant gets thirty a minute', async () => {
    const { admin, adminId } = platform
    const path = `/admin/plugins/${plugin}/api/notify`
    dataOf(await admin.post(path, { userId: adminId, title: 'For you' }))
    assert.equal(dataOf(await admin.get('/notifications'))['unread'], 1)
    assert.equal(reasonOf(await admin.post(path, { userId: readerId + 1_000, title: 'x' })), 'notification_recipient')
    const sent = await Promise.all(
      Array.from({ length: 31 }, () => two.owner.post(`${mine}/notify`, { userId: two.ownerId, title: 'x' })),
    )
    assert.ok(sent.some((answer) => reasonOf(answer) === 'notify_rate'))
  })

  it('users are those of the tenant, without an address', async () => {
    const list = async (query: object) => dataOf(await one.owner.post(`${mine}/users`, query))
    const { users } = (await list({})) as unknown as { users: Record<string, unknown>[] }
    assert.deepEqual(
      users.map(({ id }) => id),
      [one.ownerId, readerId],
    )
    assert.deepEqual(Object.keys(users[0] ?? {}), ['id', 'nickname', 'account', 'status', 'avatarUrl'])
    assert.doesNotMatch(JSON.stringify(users), /@/)
    const first = await list({ limit: 1 })
    const second = await list({ limit: 1, cursor: first['cursor'] })
    assert.deepEqual([second['users']?.[0]?.['id'], second['cursor']], [readerId, undefined])
    assert.deepEqual(await list({ ids: [readerId, two.ownerId] }).then(({ users: found }) => found?.length), 1)
    assert.deepEqual(await list({ q: 'reader@one' }), { users: [] })
    assert.equal(dataOf(await two.owner.post(`${mine}/users`, { id: readerId })), null)
    for (const query of [{ limit: 101 }, { cursor: 'x' }, { ids: 'x' }, { id: 0 }, { q: 'x'.repeat(101) }])
      assert.equal(reasonOf(await one.owner.post(`${mine}/users`, query)), 'argument_invalid')
  })

  it('a licence is told as it stands, and what a plugin is given is frozen and bare', async () => {
    assert.deepEqual(dataOf(await one.owner.post(`${mine}/facts`)), {
      ...{ license: { state: 'none', features: [], expiresAt: null }, frozen: true, bare: true },
    })
  })

  it('what pages reach the console with is small, is everybody’s, and comes again only when it changed', async () => {
    const { api } = platform.test
    for (const [name, type] of [
      ['stoa-ui.js', 'text/javascript; charset=utf-8'],
      ['guard.js', 'text/javascript; charset=utf-8'],
      ['early.js', 'text/javascript; charset=utf-8'],
      ['stoa-ui.css', 'text/css; charset=utf-8'],
    ] as const) {
      const { status, headers, body } = await api.get(`/plugin-ui/sdk/1/${name}`)
      assert.deepEqual(
        [status, headers['content-type'], headers['cache-control'], headers['access-control-allow-origin']],
        [200, type, 'public, max-age=3600', '*'],
      )
      assert.ok(gzipSync(body as unknown as string).length < 6_000, name)
      const again = await api.get(`/plugin-ui/sdk/1/${name}`, {
        headers: { 'if-none-match': String(headers['etag']) },
      })
      assert.equal(again.status, 304)
    }
    for (const name of ['none.js', 'protocol.ts', 'constructor', '..%2fctx.ts'])
      assert.equal((await api.get(`/plugin-ui/sdk/1/${name}`)).status, 404, name)
  })

  it('pages are served as they were signed, in an origin of their own, while the plugin is enabled', async () => {
    const { api } = platform.test
    const { pages } = dataOf(await one.owner.get('/plugins/slots')) as unknown as { pages: { url: string }[] }
    const url = pages[0]?.url ?? ''
    const { status, headers, body } = await api.get(url)
    const inline = createHash('sha256').update('start()').digest('base64')
    assert.deepEqual(
      [status, body as unknown, headers['content-type']],
      [200, `<!doctype html><script src="/plugin-ui/sdk/1/guard.js"></script>${page}`, 'text/html; charset=utf-8'],
    )
    // Not 'self': what another plugin or a tenant put on this site is no script of this page.
    const own = new URL(url.replace(/ui\/page\.html$/, ''), api.url).href.replace('http://', '')
    const both = `${own} ${new URL(api.url).host}/plugin-ui/sdk/1/`
    assert.match(own, /^127\.0\.0\.1:\d+\/plugin-ui\/[^/]+\/[0-9a-f]{64}\/$/)
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; script-src ${both} 'sha256-${inline}'; style-src ${both}; img-src ${both} data: blob:; font-src ${both} data:; media-src blob:; connect-src 'none'; worker-src 'none'; frame-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts allow-forms`,
    )
    assert.deepEqual(
      [headers['x-content-type-options'], headers['cache-control'], headers['access-control-allow-origin']],
      ['nosniff', 'public, max-age=31536000, immutable', '*'],
    )
    assert.deepEqual(
      [headers['connection-allowlist'], headers['cross-origin-resource-policy'], headers['x-dns-prefetch-control']],
      ['(response-origin)', 'cross-origin', 'off'],
    )
    assert.deepEqual(
      [headers['referrer-policy'], /camera=\(\), .*usb=\(\)/.test(String(headers['permissions-policy']))],
      ['no-referrer', true],
    )
    const script = await api.get(url.replace('page.html', 'app.js'))
    assert.deepEqual(
      [script.body as unknown, script.headers['content-type']],
      ['run()', 'text/javascript; charset=utf-8'],
    )
    assert.equal(script.headers['content-security-policy'], "default-src 'none'; sandbox")
    assert.match(String(script.headers['vary']), /User-Agent/)
    // Of those that do not know the header that keeps a page from others each script is fenced in.
    for (const [browser, isFenced] of [
      ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', true],
      ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15', true],
      ['Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/155.0.0.0 Safari/537.36', true],
      ['Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36', false],
    ] as const) {
      const fence = isFenced ? scriptFence : ''
      const told = { headers: { 'user-agent': browser } }
      const [shown, run] = [await api.get(url, told), await api.get(url.replace('page.html', 'app.js'), told)]
      const hash = createHash('sha256').update(`${fence}start()`).digest('base64')
      assert.ok(String(shown.headers['content-security-policy']).includes(` 'sha256-${hash}';`), browser)
      assert.ok((shown.body as unknown as string).endsWith(page.replace('start()', `${fence}start()`)), browser)
      assert.equal(run.body, `${fence}run()`, browser)
    }
    const elsewhere = async (host: string) =>
      /script-src (\S+)/.exec(String((await api.get(url, { host })).headers['content-security-policy']))?.[1]
    assert.deepEqual(
      [await elsewhere('Plugins.Example.com:8443'), await elsewhere('[::1]:1'), await elsewhere('x; script-src *')],
      [`plugins.example.com:8443${own.slice(own.indexOf('/'))}`, "'self'", "'self'"],
    )
    const [base = ''] = url.split('/ui/')
    for (const path of [
      '/dist/index.js',
      '/manifest.json',
      '/ui/none.js',
      '/ui/..%2fmanifest.json',
      '/ui/../manifest.json',
    ])
      assert.equal((await api.get(base + path)).status, 404, path)
    assert.equal((await api.get(url.replace(/[0-9a-f]{64}/, '0'.repeat(64)))).status, 404)
    dataOf(await platform.admin.post(`/admin/plugins/${plugin}/disable`))
    assert.equal((await api.get(url)).status, 404)
    dataOf(await platform.admin.post(`/admin/plugins/${plugin}/enable`))
    assert.equal((await api.get(url)).status, 200)
  })

  it('a storage driver is offered to the platform, tried, and keeps files of any size', async () => {
    const { admin } = platform
    const drivers = dataOf(await admin.get('/configs/storage/drivers'))['items'] as unknown as Body[]
    const { capabilities } = drivers.find(({ name }) => (name as unknown) === driver) ?? {}
    assert.deepEqual(capabilities, { presign: false, range: true, multipart: false, image_process: false })
    const test = async (config: object) =>
      dataOf(await admin.post('/configs/storage/test-connection', { driver, config }))
    const tried = await test({ folder: 'a', access_key: 'right' })
    assert.equal(tried['ok'], true, JSON.stringify(tried))
    assert.equal((await test({ folder: 'a', access_key: 'wrong' }))['ok'], false)
    assert.equal((await test({ folder: 'full', access_key: 'right' }))['ok'], false)
    const settings = { driver, config: { folder: 'b', access_key: 'right' } }
    dataOf(
      await admin.put('/admin/configs/groups/platform_storage', {
        storage_driver: driver,
        storage_config: settings.config,
      }),
    )
    const store = platform.test.kernel.services.get(objectStorage).open('things', one.id)
    const content = randomBytes(700_000)
    const { driver: used } = await store.put('large', Readable.from([content]))
    const all = await store.get('large')
    const part = await store.get('large', { range: { start: 524_280, end: 524_300 } })
    assert.equal(used, driver)
    assert.ok(all && content.equals(await buffer(all.content)))
    assert.ok(part && content.subarray(524_280, 524_301).equals(await buffer(part.content)))
  })
})
