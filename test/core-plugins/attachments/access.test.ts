import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Answer, Api, Body, CallOptions } from '../../support/api.ts'
import { pathOf, sha256, textOf, uploaded } from '../../support/attachments.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { picture } from '../../support/pictures.ts'
import { png } from '../../support/png.ts'

const text = Buffer.from('0123456789')

describe('access to an attachment', () => {
  let platform: Platform
  let [owner, stranger, nobody]: Api[] = []
  let [file, open]: Body[] = []
  const openPath = (record: Body | undefined): string => `/api/public/attachments/${textOf(record?.['id'])}/access`
  before(async () => {
    platform = await startPlatform()
    owner = (await createTenant(platform.admin, 'acme')).owner
    stranger = (await createTenant(platform.admin, 'other')).owner
    nobody = platform.host.api
    file = await uploaded(owner, 'x.txt', text, { filename: 'Größe "1".txt' })
    open = await uploaded(owner, 'open.png', png(3, 2), { visibility: 'public' })
  })
  after(() => platform[Symbol.asyncDispose]())

  const get = (by: Api | undefined, path: string, headers: CallOptions['headers'] = {}): Promise<Answer> =>
    by!.get(path, { headers })
  const codeOf = ({ status, body }: Answer): unknown => (status < 400 ? status : body['code'])

  it('needs a credential unless the file is public', async () => {
    assert.equal(codeOf(await get(nobody, openPath(file))), 4010)
    const { status, headers } = await get(nobody, openPath(open))
    assert.equal(status, 200)
    assert.deepEqual(
      ['content-type', 'content-length', 'cache-control', 'etag', 'accept-ranges', 'x-content-type-options'].map(
        (name) => headers[name],
      ),
      [
        ...['image/png', '64', 'public, max-age=86400, stale-while-revalidate=604800'],
        ...[`"${sha256(png(3, 2)).slice(0, 16)}"`, 'bytes', 'nosniff'],
      ],
    )
    assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox")
    assert.equal(new Date(textOf(headers['last-modified'])).toUTCString(), headers['last-modified'])
  })

  it('knows nothing of what is not there, is another tenant’s, or has no id', async () => {
    const gone = await uploaded(owner!, 'gone.txt', Buffer.from('gone'), { visibility: 'public' })
    await owner!.delete(`/attachments/${textOf(gone['id'])}`)
    const at = (host: string): Promise<unknown> => nobody!.get(openPath(open), { host }).then(codeOf)
    assert.deepEqual([await at('acme.localhost'), await at('other.localhost')], [200, 4045])
    const unknown = '019ac000-0000-7000-8000-000000000001'
    const paths = [
      openPath(gone),
      ...[unknown, 'x', "1' or '1", '..%2f'].map((id) => `/api/public/attachments/${id}/access`),
    ]
    for (const path of paths) assert.equal(codeOf(await get(nobody, path)), 4045, path)
    for (const by of [stranger, platform.admin]) {
      for (const path of [
        openPath(file),
        `/attachments/${textOf(file?.['id'])}`,
        `/attachments/${textOf(file?.['id'])}/download`,
      ]) {
        assert.equal(codeOf(await get(by, path)), 4045, path)
      }
      assert.equal(codeOf(await by!.delete(`/attachments/${textOf(file?.['id'])}`)), 4045)
    }
  })

  it('is given to whoever has a token and may read the file', async () => {
    const colleague = await createUser(owner!, 'acme', ['user_attachment:read'])
    const outsider = await createUser(owner!, 'acme', ['user_profile:read'])
    const shared = await uploaded(owner!, 'shared.txt', text, { visibility: 'tenant' })
    const by = (user: Api | undefined, record: Body | undefined): Promise<Answer> =>
      get(nobody, `${openPath(record)}?token=${textOf(user?.token)}`)
    const given = await by(owner, file)
    assert.deepEqual([given.status, given.headers['cache-control']], [200, 'private, no-cache'])
    const outcomes = [by(colleague, file), by(colleague, shared), by(outsider, shared), by(stranger, shared)]
    assert.deepEqual((await Promise.all(outcomes)).map(codeOf), [4045, 200, 4045, 4045])
    assert.equal(codeOf(await get(nobody, `${openPath(file)}?token=nonsense`)), 4013)
    assert.equal(codeOf(await get(owner, openPath(file))), 200)
  })

  it('has no link for an image that cannot be asked for', async () => {
    const record = await uploaded(owner!, 'a.png', await picture(30, 20).png().toBuffer())
    const link = `/attachments/${textOf(record['id'])}/preview-url`
    for (const bad of ['w=0', 'h=4097', 'q=101', 'f=jpeg', 'm=x', 'p=x', 'p=thumbs', 'w=1&w=2']) {
      assert.equal(codeOf(await owner!.get(`${link}?${bad}`)), 4224, bad)
    }
    assert.equal(codeOf(await owner!.get(`${link}?ttl=1`)), 4221)
    const { kind, url } = dataOf(await owner!.get(`${link}?p=thumb&w=10`))
    assert.deepEqual([kind, (await get(nobody, pathOf(url))).headers['content-type']], ['image', 'image/png'])
  })

  it('is given to whoever has a link, unless anything of it was changed', async () => {
    const { url, expires_at, kind } = dataOf(
      await owner!.get(`/attachments/${textOf(file?.['id'])}/preview-url?ttl=600`),
    )
    const path = pathOf(url)
    const { status, headers } = await get(nobody, path)
    const seconds = Number(/^private, max-age=(\d+)$/.exec(textOf(headers['cache-control']))?.[1])
    assert.deepEqual([kind, status, seconds > 500 && seconds <= 1500], ['access', 200, true])
    // Also while one is signed in as somebody who may not read it.
    assert.equal(codeOf(await get(await createUser(owner!, 'acme', ['user_profile:read']), path)), 200)
    assert.equal(Date.parse(textOf(expires_at)) % 900_000, 0)
    assert.equal(dataOf(await owner!.get(`/attachments/${textOf(file?.['id'])}/preview-url?ttl=600`))['url'], url)
    const changed = (edit: (query: URLSearchParams) => void): string => {
      const link = new URL(`http://x${path}`)
      edit(link.searchParams)
      return link.pathname + link.search
    }
    const other = await uploaded(owner!, 'other.txt', Buffer.from('other'))
    const paths = [
      changed((query) => query.set('exp', textOf(Number(query.get('exp')) + 1))),
      ...['1', '', 'abc', '-1', '1e99', '9'.repeat(30)].map((exp) => changed((query) => query.set('exp', exp))),
      ...['0', '+', ' '].map((more) => changed((query) => query.set('exp', more + textOf(query.get('exp'))))),
      changed((query) => query.set('exp', `${query.get('exp')}.0`)),
      changed((query) => query.append('exp', textOf(query.get('exp')))),
      ...['', '%', 'é', 'A'.repeat(1000)].map((sign) => changed((query) => query.set('sign', sign))),
      changed((query) => query.append('sign', textOf(query.get('sign')))),
      changed((query) => query.delete('exp')),
      changed((query) => query.set('sign', 'A'.repeat(43))),
      changed((query) => query.set('sign', textOf(query.get('sign')).slice(1))),
      changed((query) => query.delete('sign')),
      changed((query) => query.set('preview', 'false')),
      changed((query) => query.delete('preview')),
      path.replace(textOf(file?.['id']), textOf(other['id'])),
    ]
    for (const bad of paths) assert.equal(codeOf(await get(nobody, bad)), 4032, bad)
  })

  it('gives one part, says what has not changed, and refuses other parts', async () => {
    const part = async (range: string, more = {}): Promise<readonly unknown[]> => {
      const { status, headers, body } = await get(owner, openPath(file), { range, ...more })
      return [status, headers['content-range'], status < 400 ? body : body['code']]
    }
    assert.deepEqual(await part('bytes=2-4'), [206, 'bytes 2-4/10', '234'])
    assert.deepEqual(await part('bytes=7-'), [206, 'bytes 7-9/10', '789'])
    assert.deepEqual(await part('bytes=-3'), [206, 'bytes 7-9/10', '789'])
    assert.deepEqual(await part('bytes=0-99'), [206, 'bytes 0-9/10', '0123456789'])
    assert.deepEqual(await part('lines=1-2'), [200, undefined, '0123456789'])
    for (const range of ['bytes=10-', 'bytes=4-2', 'bytes=0-1,3-4', 'bytes=-', 'bytes=x', 'bytes=-0']) {
      assert.deepEqual(await part(range), [416, 'bytes */10', 4160], range)
    }
    const { headers } = await get(owner, openPath(file))
    const etag = textOf(headers['etag'])
    assert.deepEqual(await part('bytes=2-4', { 'if-range': etag }), [206, 'bytes 2-4/10', '234'])
    assert.deepEqual(await part('bytes=2-4', { 'if-range': '"other"' }), [200, undefined, '0123456789'])
    const same = await get(owner, openPath(file), { 'if-none-match': etag })
    assert.deepEqual([same.status, same.body, same.headers['etag']], [304, '', etag])
    const since = async (time: unknown, more = {}): Promise<number> =>
      (await get(owner, openPath(file), { 'if-modified-since': textOf(time), ...more })).status
    const made = headers['last-modified']
    assert.deepEqual(
      [await since(made), await since('Thu, 01 Jan 2015 00:00:00 GMT'), await since('x')],
      [304, 200, 200],
    )
    // The tag stands before the time.
    assert.equal(await since(made, { 'if-none-match': '"other"' }), 200)
    const head = await owner!.call('HEAD', openPath(file))
    assert.deepEqual([head.status, head.headers['content-length'], head.body], [200, '10', ''])
  })

  it('that is open to everybody is told to be the same until its record or its tenant changes', async () => {
    const { owner: shut, id: tenantId } = await createTenant(platform.admin, 'shut')
    const record = await uploaded(shut, 'a.png', await picture(30, 20).png().toBuffer(), { visibility: 'public' })
    const image = `${openPath(record).replace('access', 'image')}?w=10`
    const etags = new Map<string, string>()
    for (const path of [openPath(record), image]) etags.set(path, textOf((await get(nobody, path)).headers['etag']))
    const ask = async (): Promise<unknown> => {
      const asked = [...etags].flatMap(([path, etag]) => [path, path, path].map((each) => [each, etag] as const))
      const answers: unknown[] = []
      for (const [path, etag] of asked) answers.push(codeOf(await get(nobody, path, { 'if-none-match': etag })))
      return [...new Set(answers)]
    }
    const change = async (status: string): Promise<void> =>
      void dataOf(await platform.admin.put(`/admin/tenants/${tenantId}`, { status }))
    assert.deepEqual(await ask(), [304])
    await change('disabled')
    assert.deepEqual(await ask(), [4035])
    await change('active')
    assert.deepEqual(await ask(), [304])
    await platform.admin.put('/configs/groups/platform_image', { image_rate_limit: 1 })
    assert.deepEqual(await ask(), [304, 4294])
    await platform.admin.put('/configs/groups/platform_image', { image_rate_limit: 60 })
    dataOf(await shut.delete(`/attachments/${textOf(record['id'])}`))
    assert.deepEqual(await ask(), [4045])
  })

  it('is given as it is to whoever would rather have something else', async () => {
    const { status, body } = await get(owner, openPath(file), { accept: 'application/json' })
    assert.deepEqual([status, body], [200, '0123456789'])
  })

  it('shows a file in the browser only where that is asked for and harmless', async () => {
    const dispositions = async (record: Body | undefined): Promise<readonly unknown[]> => {
      const plain = await get(owner, openPath(record))
      const shown = await get(owner, `${openPath(record)}?preview=true`)
      return [plain, shown].map(({ headers }) => /^\w+/.exec(textOf(headers['content-disposition']))?.[0])
    }
    assert.deepEqual(await dispositions(open), ['attachment', 'inline'])
    assert.deepEqual(await dispositions(await uploaded(owner!, 'a.json', Buffer.from('{}'))), [
      'attachment',
      'attachment',
    ])
    const { headers } = await get(owner, openPath(file))
    assert.equal(
      headers['content-disposition'],
      `attachment; filename="Gr__e _1_.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.txt`,
    )
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
  })

  it('by download is counted once, and told as a link where JSON is wanted', async () => {
    const id = textOf((await uploaded(owner!, 'counted.txt', text))['id'])
    const download = `/attachments/${id}/download`
    const asked = dataOf(await get(owner, download, { accept: 'application/json' }))
    assert.equal((await get(nobody, pathOf(asked['redirect_url']))).body, '0123456789')
    await get(owner, download, { range: 'bytes=0-1' })
    await get(owner, download, { range: 'bytes=2-3' })
    await owner!.call('HEAD', download)
    const etag = textOf((await get(owner, download)).headers['etag'])
    assert.equal((await get(owner, download, { 'if-none-match': etag })).status, 304)
    const inline = await get(owner, `${download}?disposition=inline`)
    assert.match(textOf(inline.headers['content-disposition']), /^inline/)
    assert.equal(dataOf(await owner!.get(`/attachments/${id}`))['download_count'], 4)
    assert.deepEqual(refusalOf(await get(owner, `${download}?disposition=x`)).code, 4221)
  })
})
