import assert from 'node:assert/strict'
import sharp from 'sharp'
import { Agent } from 'undici'
import { canonicalOf } from '../../../../core-plugins/attachments/access/canonical.ts'
import { platformToken, tenantToken } from '../../../support/plain-identity.ts'
import { picture } from '../../../support/pictures.ts'
import { startImageWorld, tenantId, type Got, type ImageWorld } from './world.ts'

const all = { w: '60', h: '50', q: '70', f: 'webp', m: 'crop', p: 'thumb' }
const reader = tenantToken(tenantId, 'user_attachment:read')

describe('an image of an attachment', () => {
  let world: ImageWorld
  let jpeg: Buffer
  before(async () => {
    world = await startImageWorld()
    jpeg = await picture(400, 300).jpeg().toBuffer()
  })
  after(() => world[Symbol.asyncDispose]())

  it('is there for everybody where the attachment is, with a tag that is known without any work', async () => {
    const path = await world.put(jpeg)
    const before = world.made()
    const made = await world.get(`${path}?w=100&f=webp`)
    assert.deepEqual([made.status, made.headers['content-type']], [200, 'image/webp'])
    assert.equal(made.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(String(made.headers['etag']), /^"[0-9a-f]{16}"$/)
    assert.equal(made.headers['x-content-type-options'], 'nosniff')
    assert.match(String(made.headers['content-security-policy']), /sandbox/)
    assert.match(String(made.headers['ratelimit-policy']), /^"image";q=6000;w=60$/)
    const { width, height, format } = await sharp(made.bytes).metadata()
    assert.deepEqual([width, height, format], [100, 75, 'webp'])
    assert.deepEqual((await world.get(`${path}?f=webp&w=100&q=80`)).bytes, made.bytes)
    assert.equal(world.made(), before + 1)
    const tag = String(made.headers['etag'])
    const same = await world.get(`${path}?w=100&f=webp`, { 'if-none-match': tag })
    assert.deepEqual([same.status, same.bytes.length, same.headers['etag']], [304, 0, tag])
    const quality = await world.get(`${path}?w=100&f=webp&q=81`, { 'if-none-match': tag })
    assert.equal(quality.status, 200)
  })

  it('is known by its tag before it was ever made', async () => {
    const [one, two] = [await world.put(jpeg), await world.put(jpeg)]
    const { headers } = await world.get(`${one}?w=33`)
    const before = world.made()
    const answer = await world.get(`${two}?w=33`, { 'if-none-match': String(headers['etag']) })
    assert.deepEqual([answer.status, world.made()], [304, before])
  })

  it('is there with a signature, until that ends', async () => {
    const path = await world.put(jpeg, { visibility: 'private' })
    const { status, headers } = await world.get(world.sign(path, all))
    assert.equal(status, 200)
    const [, seconds] = /^private, max-age=(\d+)$/.exec(String(headers['cache-control'])) ?? []
    assert.ok(Number(seconds) > 3500 && Number(seconds) <= 4500, String(headers['cache-control']))
    assert.equal((await world.get(path)).code, 4010)
    assert.equal((await world.get(`${path}?w=10`)).code, 4010)
  })

  it('is not there once any parameter of a signed link was changed, added or taken away', async () => {
    const path = await world.put(jpeg, { visibility: 'tenant' })
    const others = { w: '61', h: '51', q: '71', f: 'png', m: 'fit', p: 'avatar' }
    for (const [name, value] of Object.entries(others)) {
      const url = new URL(world.sign(path, all), 'http://host')
      url.searchParams.set(name, value)
      assert.equal((await world.get(url.pathname + url.search)).code, 4032, `${name} changed`)
      url.searchParams.delete(name)
      assert.equal((await world.get(url.pathname + url.search)).code, 4032, `${name} taken away`)
      const bare = new URL(world.sign(path), 'http://host')
      bare.searchParams.set(name, value)
      assert.equal((await world.get(bare.pathname + bare.search)).code, 4032, `${name} added`)
    }
    for (const name of ['exp', 'sign']) {
      const url = new URL(world.sign(path, all), 'http://host')
      url.searchParams.set(name, name === 'exp' ? String(Number(url.searchParams.get('exp')) + 1) : 'AAAA')
      assert.equal((await world.get(url.pathname + url.search)).code, 4032, name)
    }
    const other = await world.put(jpeg, { visibility: 'tenant' })
    const foreign = world.sign(path, all).replace(path, other)
    assert.equal((await world.get(foreign)).code, 4032)
  })

  it('is there with a token, in the query or in the header, for whoever may read the attachment', async () => {
    const path = await world.put(jpeg, { visibility: 'tenant' })
    const inQuery = await world.get(`${path}?w=20&token=${encodeURIComponent(reader)}`)
    assert.deepEqual([inQuery.status, inQuery.headers['cache-control']], [200, 'private, no-cache'])
    const inHeader = await world.get(`${path}?w=20`, { authorization: `Bearer ${reader}` })
    assert.deepEqual([inHeader.status, inHeader.headers['cache-control']], [200, 'private, no-cache'])
    const foreign = encodeURIComponent(tenantToken(6, 'user_attachment:read'))
    assert.equal((await world.get(`${path}?w=20&token=${foreign}`)).code, 4045)
    assert.equal((await world.get(`${path}?w=20&token=${encodeURIComponent(tenantToken(tenantId))}`)).code, 4045)
    assert.equal((await world.get('/api/public/attachments/nothing/image?w=20')).code, 4045)
  })

  it('is refused for its parameters before anybody asks for the right to it', async () => {
    const path = await world.put(jpeg, { visibility: 'private' })
    for (const bad of ['w=0', 'w=4097', 'h=0', 'h=4097', 'q=0', 'q=101', 'f=jpeg', 'm=x', 'p=x', 'w=', 'w=1&w=2']) {
      const answer = await world.get(`${path}?${bad}`)
      assert.deepEqual([answer.status, answer.code], [422, 4224], bad)
    }
    const large = await world.get(world.sign(path, { w: '4096', h: '1', m: 'fill', q: '1' }))
    const { width, height } = await sharp(large.bytes).metadata()
    assert.deepEqual([width, height], [4096, 1])
    for (const parameters of [{ w: '1', h: '4096' }, { h: '1' }, { q: '1' }, { q: '100' }]) {
      assert.equal((await world.get(world.sign(path, parameters))).status, 200)
    }
  })

  it('leads to the file itself where nothing is to be done, with the same credential signed anew', async () => {
    const path = await world.put(jpeg, { visibility: 'tenant', width: 400, height: 300 })
    const file = path.replace(/image$/, 'access')
    const nothing: Record<string, string>[] = [{}, { w: '400' }, { p: 'preview' }, { f: 'jpg' }]
    for (const parameters of nothing) {
      const { status, headers } = await world.get(world.sign(path, parameters))
      const location = new URL(String(headers['location']), 'http://host')
      assert.deepEqual([status, location.pathname, headers['cache-control']], [302, file, 'private, no-cache'])
      const { exp, sign = '', ...rest } = Object.fromEntries(location.searchParams)
      assert.deepEqual(rest, { preview: 'true' })
      const attachment = { id: path.split('/')[4] ?? '', tenantId }
      const given = { exp: Number(exp), sign, canonical: canonicalOf({ preview: true }) }
      assert.equal(world.signer.isValid('access', attachment, given), true)
    }
    const token = new URLSearchParams({ token: reader }).toString()
    const asReader = await world.get(`${path}?${token}`)
    assert.equal(asReader.headers['location'], `${file}?${token}&preview=true`)
    const open = await world.put(jpeg, { width: 400, height: 300 })
    assert.equal((await world.get(`${open}?w=400`)).headers['location'], open.replace(/image$/, 'access?preview=true'))
  })

  it('is the file itself while images are not made, and asks no less of whoever wants it', async () => {
    const [path, hidden] = [await world.put(jpeg), await world.put(jpeg, { visibility: 'private' })]
    await world.configure({ image_processing_enabled: false })
    assert.equal((await world.get(`${path}?w=10`)).headers['location'], path.replace(/image$/, 'access?preview=true'))
    assert.equal((await world.get(`${hidden}?w=10`)).code, 4010)
    assert.equal((await world.get(`${path}?w=0`)).code, 4224)
    await world.configure({ image_processing_enabled: true })
    assert.equal((await world.get(`${path}?w=10`)).status, 200)
  })

  it('stands for what a preset is configured as', async () => {
    const path = await world.put(jpeg)
    const sizeOf = async (query: string): Promise<unknown> => {
      const { width, height } = await sharp((await world.get(`${path}?${query}`)).bytes).metadata()
      return [width, height]
    }
    assert.deepEqual(await sizeOf('p=thumb'), [200, 200])
    assert.deepEqual(await sizeOf('p=banner&h=100'), [1200, 100])
    await world.configure({ image_presets: { thumb: { w: 30, h: 40, m: 'fill' } } })
    assert.deepEqual(await sizeOf('p=thumb'), [30, 40])
    await world.configure({ image_presets: {} })
  })

  it('has no preset that nobody can ask for, and none that no image can have', async () => {
    const admin = world.host.api.as(platformToken('platform_config:*'))
    const write = (image_presets: unknown) => admin.put('/configs/groups/platform_image', { image_presets })
    const faultsIn = async (presets: unknown) => {
      const { status, body } = await write(presets)
      const errors = (body['errors'] ?? []) as unknown as { field: string; rule: string; params: { preset: string } }[]
      return [status, ...errors.map(({ field, rule, params }) => `${field} ${params.preset} ${rule}`)]
    }
    assert.deepEqual(await faultsIn({ thumb: { w: 4097, f: 'bmp', x: 1 }, poster: { w: 1 } }), [
      422,
      'image_presets poster unknown_field',
      'image_presets thumb.x unknown_field',
      'image_presets thumb.w max_value',
      'image_presets thumb.f options',
    ])
    assert.equal((await write([{ w: 1 }])).status, 422)
    assert.deepEqual(await faultsIn({ thumb: { w: 4096, h: 1, q: 100, f: 'gif', m: 'pad' }, large: {} }), [200])
    await world.configure({ image_presets: {} })
  })

  it('is refused above the limit of an address, with the time to wait, before its parameters are looked at', async () => {
    const path = await world.put(jpeg)
    await world.configure({ image_rate_limit: 2, image_rate_window_seconds: 61 })
    const from = new Agent({ localAddress: '127.0.0.9' })
    const get = (query: string): Promise<Got> => world.get(path + query, {}, from)
    const answers = [await get(''), await get('?w=9'), await get('?w=0')]
    await from.close()
    assert.deepEqual(
      answers.map(({ status, code }) => code ?? status),
      [302, 200, 4294],
    )
    assert.ok(Number(answers[2]?.headers['retry-after']) > 0)
    assert.equal(answers[2]?.headers['ratelimit-policy'], '"image";q=2;w=61')
    await world.configure({ image_rate_limit: 6000, image_rate_window_seconds: 60 })
  })
})
