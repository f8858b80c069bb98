import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Api, Answer } from '../../support/api.ts'
import { bytesAt, textOf, uploaded } from '../../support/attachments.ts'
import { picture } from '../../support/pictures.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'

const linkOf = (id: unknown): string => `/api/public/attachments/${textOf(id)}/access?preview=true`
const rulesOf = ({ status, body }: Answer): unknown =>
  status < 400
    ? status
    : [body['code'], ...(body['errors'] as unknown as { field: string; rule: string }[]).map(({ rule }) => rule)]

describe('files that settings name', () => {
  let platform: Platform
  let owner: Api
  let rival: Api
  let logo: Buffer
  before(async () => {
    platform = await startPlatform()
    owner = (await createTenant(platform.admin, 'acme')).owner
    rival = (await createTenant(platform.admin, 'rival')).owner
    logo = await picture(40, 20).png().toBuffer()
  })
  after(() => platform[Symbol.asyncDispose]())

  const file = async (by: Api, name = 'logo.png', content = logo, fields: Record<string, string> = {}) =>
    textOf((await uploaded(by, name, content, { usage: 'config', ...fields }))['id'])
  const write = (by: Api, group: string, values: object): Promise<Answer> => by.put(`/configs/groups/${group}`, values)
  const acmes = async (): Promise<Record<string, unknown>> =>
    dataOf(await platform.host.api.get('/api/public/tenant/config', { headers: { host: 'acme.localhost' } }))

  it('are shown as links to everybody, the platform’s and a tenant’s', async () => {
    const [site, own] = [await file(platform.admin), await file(owner)]
    dataOf(await write(platform.admin, 'platform_basic', { site_logo: site, logo_dark: 'https://cdn.test/dark.png' }))
    const { site_logo, logo_dark, site_favicon } = dataOf(await platform.host.api.get('/api/public/platform/config'))
    assert.deepEqual([site_logo, logo_dark, site_favicon], [linkOf(site), 'https://cdn.test/dark.png', ''])
    dataOf(await write(owner, 'tenant_basic', { logo_url: own }))
    dataOf(await write(owner, 'tenant_login', { login_bg: own }))
    await until(async () => (await acmes())['logo_url'] === linkOf(own))
    assert.equal((await acmes())['login_bg'], linkOf(own))
    for (const id of [site, own]) assert.deepEqual(await bytesAt(platform.host.api, linkOf(id)), logo)
    const { items } = dataOf(await owner.get('/configs/groups/tenant_basic'))
    const stored = (items as unknown as { key: string; value: unknown }[]).find(({ key }) => key === 'logo_url')
    assert.equal(stored?.value, own)
  })

  it('of the platform’s defaults are shown to tenants without their own', async () => {
    const id = await file(platform.admin)
    dataOf(await write(platform.admin, 'tenant_basic', { favicon_url: id }))
    await until(async () => (await acmes())['favicon_url'] === linkOf(id))
    assert.deepEqual(await bytesAt(platform.host.api, linkOf(id)), logo)
    assert.equal((await platform.admin.delete(`/attachments/${id}`)).status, 409)
  })

  it('are pictures of the same tenant that are open to everybody, and nothing else', async () => {
    const clerk = await createUser(owner, 'acme', ['user_attachment:*'])
    const [theirs, staffs] = [await file(rival), await file(platform.admin)]
    const [closed, text] = [
      await file(clerk, 'secret.png', logo, { usage: 'general' }),
      await file(owner, 'a.txt', Buffer.from('text')),
    ]
    const answers = [theirs, staffs, closed, text, '019a0000-0000-7000-8000-000000000000', 'javascript:alert(1)'].map(
      async (value) => rulesOf(await write(owner, 'tenant_basic', { logo_dark_url: value })),
    )
    assert.deepEqual(await Promise.all(answers), [
      [4222, 'not_found'],
      [4222, 'not_found'],
      [4222, 'visibility'],
      [4222, 'type'],
      [4222, 'not_found'],
      [4222, 'type'],
    ])
    assert.equal((await acmes())['logo_dark_url'], '')
  })

  it('may be drawings where such files are taken: they are saved, never run', async () => {
    const keep = dataOf(await platform.admin.get('/configs/groups/platform_storage'))
    const { value } = (keep['items'] as unknown as { key: string; value: string[] }[]).find(
      ({ key }) => key === 'allowed_extensions',
    )!
    dataOf(await write(platform.admin, 'platform_storage', { allowed_extensions: [...value, 'svg'] }))
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const id = await file(owner, 'logo.svg', svg)
    dataOf(await write(owner, 'tenant_basic', { logo_dark_url: id }))
    const { headers } = await platform.host.api.get(linkOf(id))
    assert.match(String(headers['content-disposition']), /^attachment/)
    assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox")
    const large = await file(owner, 'large.svg', Buffer.concat([svg, Buffer.alloc(1_048_577, ' ')]))
    assert.deepEqual(rulesOf(await write(owner, 'tenant_basic', { logo_dark_url: large })), [4222, 'size'])
  })

  it('are kept while a setting names them, and let go of when it names another or none', async () => {
    const [first, second] = [await file(owner), await file(owner)]
    const removed = async (id: string): Promise<number> => (await owner.delete(`/attachments/${id}`)).status
    dataOf(await write(owner, 'tenant_basic', { logo_url: first, favicon_url: first }))
    dataOf(await write(owner, 'tenant_basic', { logo_url: second }))
    assert.equal(await removed(first), 409)
    dataOf(await write(owner, 'tenant_basic', { favicon_url: 'https://cdn.test/icon.png' }))
    assert.equal(await removed(first), 200)
    const refused = await owner.delete(`/tenant/attachments/${second}`)
    assert.deepEqual(refused.body['details'], { by: ['config:tenant_basic/logo_url'] })
    dataOf(await write(owner, 'tenant_basic', { values: {}, reset: ['logo_url'] }))
    assert.equal(await removed(second), 200)
  })
})
