// @both-back-ends
import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it } from 'mocha'
import type { Answer, Api, Body } from '../../support/api.ts'
import { bytesAt, textOf, uploaded } from '../../support/attachments.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { picture } from '../../support/pictures.ts'
import { filesBelow } from '../../support/storage.ts'
import { until } from '../../support/until.ts'

const uses = ['user_attachment:*']

describe('the records of attachments', () => {
  let platform: Platform
  let owner: Api
  let other: Api
  before(async () => {
    platform = await startPlatform()
    owner = (await createTenant(platform.admin, 'acme')).owner
    other = await createUser(owner, 'acme', uses)
    await uploaded(owner, 'b.txt', Buffer.from('bb'))
    await uploaded(owner, 'a.csv', Buffer.from('a'), { usage: 'chat', visibility: 'tenant' })
    await uploaded(owner, 'c.txt', Buffer.from('ccc'))
    await uploaded(other, 'theirs.txt', Buffer.from('theirs'))
  })
  after(() => platform[Symbol.asyncDispose]())

  const names = async (by: Api, at: string): Promise<unknown> => {
    const { items, total } = dataOf(await by.get(at))
    return [total, (items as unknown as Body[]).map(({ filename }) => filename)]
  }
  const codeOf = ({ status, body }: Answer): unknown => (status < 400 ? status : body['code'])

  it('are listed to their owner, newest first, as lists are', async () => {
    assert.deepEqual(await names(owner, '/attachments'), [3, ['c.txt', 'a.csv', 'b.txt']])
    assert.deepEqual(await names(owner, '/attachments?sort=filename&page_size=2&page=2'), [3, ['c.txt']])
    assert.deepEqual(await names(owner, '/attachments?extension=txt&sort=size'), [2, ['b.txt', 'c.txt']])
    assert.deepEqual(await names(owner, '/attachments?usage=chat&visibility=tenant'), [1, ['a.csv']])
    assert.deepEqual(await names(owner, '/attachments?q=B.T'), [1, ['b.txt']])
    assert.deepEqual(await names(owner, '/attachments?min_size=2&max_size=2&type=text'), [1, ['b.txt']])
    assert.deepEqual(await names(owner, '/attachments?to=2000-01-01T00:00:00Z'), [0, []])
    assert.deepEqual(await names(other, '/attachments'), [1, ['theirs.txt']])
    const refused = ['sort=hash', 'page_size=101', 'usage=x', 'owner_id=1'].map((query) =>
      owner.get(`/attachments?${query}`),
    )
    assert.deepEqual((await Promise.all(refused)).map(codeOf), [4221, 4221, 4221, 4221])
  })

  it('of a tenant are for those who administer it, within what they reach', async () => {
    const { items } = dataOf(await owner.get('/tenant/attachments?q=theirs'))
    const [theirs] = items as unknown as Body[]
    assert.equal(typeof theirs?.['owner_name'], 'string')
    const id = textOf(theirs?.['id'])
    assert.equal(dataOf(await owner.get(`/tenant/attachments/${id}`))['filename'], 'theirs.txt')
    assert.deepEqual(await bytesAt(owner, `/attachments/${id}/download`), Buffer.from('theirs'))
    const clerk = await createUser(owner, 'acme', [...uses, 'tenant_attachment:*'])
    const mine = await uploaded(clerk, 'clerk.txt', Buffer.from('clerk'))
    assert.deepEqual(await names(clerk, '/tenant/attachments'), [1, ['clerk.txt']])
    assert.deepEqual(
      [codeOf(await clerk.get(`/tenant/attachments/${id}`)), codeOf(await clerk.delete(`/tenant/attachments/${id}`))],
      [4045, 4045],
    )
    // By no other door either, with the token in the header or in the link.
    const files = ['', '/download', '/preview-url'].map((end) => `/attachments/${id}${end}`)
    const links = ['access?preview=true', 'image?w=5'].map((end) => `/api/public/attachments/${id}/${end}`)
    for (const path of [...files, ...links]) assert.equal(codeOf(await clerk.get(path)), 4045, path)
    for (const path of links) assert.equal(codeOf(await owner.as('').get(`${path}&token=${clerk.token}`)), 4045, path)
    assert.deepEqual(
      [codeOf(await other.get('/tenant/attachments')), codeOf(await other.delete(`/tenant/attachments/${id}`))],
      [4031, 4031],
    )
    const target = `attachment:${textOf(mine['id'])}`
    assert.equal(codeOf(await owner.delete(`/tenant/attachments/${textOf(mine['id'])}`)), 200)
    const log = dataOf(await owner.get(`/tenant/audit-logs?target=${target}`))['items'] as unknown as Body[]
    assert.deepEqual(
      log.map(({ action, before }) => [action, before]),
      [['attachment.deleted', { filename: 'clerk.txt', owner_id: mine['owner_id'], size: 5 }]],
    )
    assert.equal(codeOf(await clerk.get(`/attachments/${textOf(mine['id'])}`)), 4045)
  })

  it('of everybody are for the platform', async () => {
    await uploaded(platform.admin, 'logo.txt', Buffer.from('logo'))
    assert.deepEqual(await names(platform.admin, '/admin/attachments?tenant_id=0'), [1, ['logo.txt']])
    const { items } = dataOf(await platform.admin.get('/admin/attachments?q=b.txt'))
    const [{ id, tenant_id, tenant } = {} as Body] = items as unknown as Body[]
    assert.equal(Number(tenant_id) > 0, true)
    assert.deepEqual(tenant, { id: tenant_id, code: 'acme', name: 'acme' })
    const platforms = dataOf(await platform.admin.get('/admin/attachments?q=logo.txt'))['items']
    assert.equal((platforms as unknown as Body[])[0]?.['tenant'], null)
    assert.equal(codeOf(await platform.admin.delete(`/admin/attachments/${textOf(id)}`)), 200)
    assert.equal(codeOf(await platform.admin.delete(`/admin/attachments/${textOf(id)}`)), 4045)
    assert.equal(codeOf(await owner.get('/admin/attachments')), 4033)
  })

  it('are deleted by their owner alone, and their bytes with the last that stands on them', async () => {
    const root = path.join(platform.host.dataDir, 'storage')
    const content = Buffer.from('the same bytes')
    const { knex } = platform.host.kernel.database
    const leaving = knex('attachment_blobs').whereNot('state', 'ready').queryContext({ tenant: 'all' })
    await until(async () => ((await leaving.clone()) as readonly unknown[]).length === 0)
    const before = (await filesBelow(root)).length
    const first = textOf((await uploaded(owner, 'one.txt', content, { visibility: 'tenant' }))['id'])
    const second = textOf((await uploaded(other, 'two.txt', content))['id'])
    await until(async () => (await filesBelow(root)).length === before + 1)
    assert.equal(codeOf(await other.delete(`/attachments/${first}`)), 4031)
    assert.equal(codeOf(await owner.delete(`/attachments/${second}`)), 4031)
    assert.equal(codeOf(await owner.delete(`/attachments/${first}`)), 200)
    assert.deepEqual(await bytesAt(other, `/attachments/${second}/download`), content)
    assert.deepEqual(dataOf(await other.delete(`/attachments/${second}`)), { deleted: true })
    assert.equal(codeOf(await other.delete(`/attachments/${second}`)), 4045)
    await until(async () => (await filesBelow(root)).length === before)
  })

  it('take what was made of an image with them', async () => {
    const made = path.join(platform.host.dataDir, 'cache', 'img')
    const content = await picture(60, 40).png().toBuffer()
    const { id } = await uploaded(owner, 'a.png', content, { visibility: 'public' })
    for (const query of ['w=10', 'w=20&f=webp']) {
      await bytesAt(platform.host.api, `/api/public/attachments/${textOf(id)}/image?${query}`)
    }
    await until(async () => (await filesBelow(made)).length === 2)
    dataOf(await owner.delete(`/attachments/${textOf(id)}`))
    await until(async () => (await filesBelow(made)).length === 0)
  })

  it('leave nothing of a tenant that is deleted', async () => {
    const gone = await createTenant(platform.admin, 'gone')
    await uploaded(gone.owner, 'x.txt', Buffer.from('x'))
    dataOf(await platform.admin.delete(`/admin/tenants/${gone.id}`))
    const { knex } = platform.host.kernel.database
    await until(async () => {
      const tables = ['attachments', 'attachment_blobs', 'attachment_uploads']
      const rows = await Promise.all(
        tables.map(
          (table) => knex(table).where({ tenant_id: gone.id }).queryContext({ tenant: 'all' }) as Promise<unknown[]>,
        ),
      )
      return rows.flat().length === 0
    })
  })
})
