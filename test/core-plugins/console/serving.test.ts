import assert from 'node:assert/strict'
import { request, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { bringUpToDate } from '../../../core-plugins/console/build/bring-up-to-date.ts'
import { consoleFolders } from '../../../core-plugins/console/build/folders.ts'
import type { Api } from '../../support/api.ts'
import { dataOf, startPlatform, type Platform } from '../../support/platform.ts'

const pageHeaders = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
  'x-frame-options',
  'x-robots-tag',
]

describe('the console over HTTP', () => {
  let platform: Platform
  before(async () => {
    await bringUpToDate(consoleFolders)
    platform = await startPlatform()
  })
  after(() => platform[Symbol.asyncDispose]())

  const fetchRaw = (path: string, headers: Record<string, string> = {}) =>
    fetch(platform.host.url + path, { headers: { 'accept-encoding': 'identity', ...headers }, redirect: 'manual' })
  // By another client: fetch says `no-cache` beside a tag of its caller's.
  const statusWith = async (path: string, etag: string) =>
    (await platform.host.api.get(path, { headers: { 'if-none-match': etag } })).status
  const firstAsset = async () =>
    /\/console(\/assets\/[^"]+\.js)"/.exec(await (await fetchRaw('/console/')).text())?.[1] ?? ''

  it('leads people from the root to the console and programs to the description of the interface', async () => {
    const to = async (accept: string) => (await fetchRaw('/', { accept })).headers.get('location')
    assert.deepEqual(
      [await to('text/html,application/xhtml+xml,*/*;q=0.8'), await to('*/*'), await to('application/json')],
      ['/console/', '/openapi.json', '/openapi.json'],
    )
    const bare = await fetchRaw('/console')
    assert.deepEqual([bare.status, bare.headers.get('location')], [308, '/console/'])
  })

  it('9: serves one page at every path, with every header that guards it', async () => {
    const pages = await Promise.all(
      ['/console/', '/console/admin/plugins/acme.guestbook', '/console/none'].map((path) => fetchRaw(path)),
    )
    const texts = await Promise.all(pages.map((page) => page.text()))
    assert.deepEqual([new Set(texts).size, ...pages.map(({ status }) => status)], [1, 200, 200, 200])
    const [page] = pages
    for (const name of pageHeaders) assert.ok(page?.headers.get(name), name)
    const policy = page?.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/)
    assert.match(policy, /connect-src 'self' ws:\/\/127\.0\.0\.1:\d+;/)
    assert.match(policy, /require-trusted-types-for 'script'; trusted-types vue dompurify stoa ProseMirrorClipboard/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.doesNotMatch(texts[0] ?? '', /<script(?![^>]* src=)|<style| style=| on\w+=/)
  })

  it('2.3: lets a page have files from where they lie, and from nowhere else', async () => {
    const placesOf = async (headers = {}) => {
      const policy = (await fetchRaw('/console/', headers)).headers.get('content-security-policy') ?? ''
      const directives = policy.split('; ').filter((each) => /^(img|media|connect)-src /.test(each))
      return directives.map((each) => each.replace(/ wss?:\S+/, ''))
    }
    const plain = ["img-src 'self' data: blob:", "media-src 'self' blob:", "connect-src 'self'"]
    const set = async (by: Api, path: string, values: object) => dataOf(await by.put(path, values))
    const bucket = (host: string) => ({
      ...{ provider: 'minio', endpoint: `https://${host}`, region: 'eu', bucket: 'stoa', access_key_id: 'id' },
      secret_access_key: 'a secret',
    })
    assert.deepEqual(await placesOf(), plain)
    const group = '/admin/configs/groups/platform_storage'
    await set(platform.admin, group, { storage_driver: 's3', storage_config: bucket('files.example.com') })
    assert.deepEqual(
      await placesOf(),
      plain.map((each) => `${each} https://files.example.com`),
    )
    // An imgproxy makes the pictures, and public files are read by another name.
    const imgproxy = { image_process: 'imgproxy', imgproxy_url: 'https://images.example.com/pictures' }
    const keys = { imgproxy_key: 'aa'.repeat(32), imgproxy_salt_key: 'bb'.repeat(32) }
    const shown = { ...bucket('files.example.com'), ...imgproxy, ...keys }
    await set(platform.admin, group, { storage_config: shown, storage_base_url: 'https://cdn.example.com/files' })
    const all = 'https://cdn.example.com https://files.example.com https://images.example.com'
    assert.deepEqual(
      await placesOf(),
      plain.map((each) => `${each} ${all}`),
    )
    // A host that says more than an origin in a policy is left out of it.
    await set(platform.admin, group, { reset: ['storage_base_url'] })
    for (const host of ['*', '*.example.com', 'x;sandbox', "x,'unsafe-inline'"]) {
      await platform.admin.put(group, { storage_config: bucket(host) })
      const places = (await placesOf()).join()
      assert.ok(!/[*;]|https:\/\/x|sandbox|unsafe/.test(places), `${host}: ${places}`)
    }
    await set(platform.admin, group, { reset: ['storage_driver', 'storage_config'] })
    assert.deepEqual(await placesOf(), plain)
  })

  it('10: serves assets for good and compressed, the page with 304, and no page for what is no asset', async () => {
    const path = `/console${await firstAsset()}`
    const [plain, brotli, gzip] = await Promise.all(
      ['identity', 'br, gzip', 'gzip, br;q=0'].map((coding) => fetchBytes(path, coding)),
    )
    assert.ok(plain && brotli && gzip)
    assert.deepEqual(
      [plain, brotli, gzip].map(({ coding }) => coding),
      [null, 'br', 'gzip'],
    )
    assert.deepEqual([brotliDecompressSync(brotli.bytes), gunzipSync(gzip.bytes)], [plain.bytes, plain.bytes])
    assert.equal(plain.cache, 'public, max-age=31536000, immutable')
    assert.equal(new Set([plain, brotli, gzip].map(({ etag }) => etag)).size, 3)
    const none = await fetchRaw('/console/assets/none.js')
    assert.deepEqual([none.status, none.headers.get('content-type')?.includes('html')], [404, false])
    assert.equal((await fetchRaw('/console/favicon.ico')).status, 404)
    const etag = (await fetchRaw('/console/')).headers.get('etag') ?? ''
    assert.equal(await statusWith('/console/', etag), 304)
  })

  it('tells which build it serves', async () => {
    const answer = await fetchRaw('/console/build.json')
    const { build, version } = (await answer.json()) as Record<string, unknown>
    assert.match(String(build), /^[0-9a-f]{16}$/)
    assert.match(String(version), /^\d+\./)
    assert.equal(await statusWith('/console/build.json', `"${String(build)}"`), 304)
  })

  it('keeps for a user that the first steps were dismissed', async () => {
    const choose = (value: unknown) => platform.admin.patch('/preferences', { 'console.getting_started': value })
    assert.equal((await choose({ dismissed: true })).status, 200)
    const { body } = await platform.admin.get('/preferences')
    assert.ok(
      JSON.stringify(body).includes('"console.getting_started","value":{"dismissed":true}'),
      JSON.stringify(body),
    )
    assert.equal((await choose({ dismissed: 'yes' })).status, 422)
    assert.equal((await platform.admin.delete('/preferences/console.getting_started')).status, 200)
  })

  it('takes reports of what browsers refused', async () => {
    const body = { effectiveDirective: 'script-src', blockedURL: 'https://evil.test/x.js?secret=1' }
    const headers = { 'content-type': 'application/reports+json' }
    const send = (report: unknown) =>
      fetch(`${platform.host.url}/api/public/csp-report`, { method: 'POST', headers, body: JSON.stringify(report) })
    const answers = await Promise.all([send([{ type: 'csp-violation', body }]), send([]), send('x'.repeat(70_000))])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202, 413],
    )
  })

  async function fetchBytes(path: string, coding: string) {
    // What fetch would decode by itself is read as it is.
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    request(platform.host.url + path, { headers: { 'accept-encoding': coding } }, resolve)
      .on('error', reject)
      .end()
    const answer = await promise
    const bytes = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>))
    const { 'content-encoding': encoding = null, etag, 'cache-control': cache } = answer.headers
    return { bytes, coding: encoding, etag, cache }
  }
})
