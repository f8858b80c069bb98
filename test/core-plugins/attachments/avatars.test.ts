import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Api, Answer } from '../../support/api.ts'
import { bytesAt, textOf, uploaded } from '../../support/attachments.ts'
import { picture } from '../../support/pictures.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'

const permissions = ['user_attachment:*', 'user_profile:*']
const linkOf = (id: unknown): string => `/api/public/attachments/${textOf(id)}/image?p=avatar`
const said = ({ status, body }: Answer): unknown =>
  status < 400
    ? status
    : [body['code'], ...((body['errors'] as unknown as { rule: string }[] | undefined) ?? []).map(({ rule }) => rule)]

describe('avatars of one’s own', () => {
  let platform: Platform
  let owner: Api
  let ann: Api
  let photo: Buffer
  before(async () => {
    platform = await startPlatform()
    owner = (await createTenant(platform.admin, 'acme')).owner
    ann = await createUser(owner, 'acme', permissions)
    photo = await picture(300, 200).png().toBuffer()
  })
  after(() => platform[Symbol.asyncDispose]())

  const avatar = async (by: Api, color = 0): Promise<string> => {
    const content = await picture(300 + color, 200)
      .png()
      .toBuffer()
    return textOf((await uploaded(by, 'me.png', content, { usage: 'avatar' }))['id'])
  }

  it('are shown to everybody by a path that is good on every host', async () => {
    for (const [by, path] of [
      [ann, '/auth/profile'],
      [ann, '/tenant/users/profile'],
      [platform.admin, '/admin/auth/profile'],
    ] as const) {
      const id = await avatar(by)
      const { avatar_url } = dataOf(await by.patch(path, { avatar_attachment_id: id.toUpperCase() }))
      assert.equal(avatar_url, linkOf(id))
      const { user } = dataOf(await by.get(path.startsWith('/admin') ? '/admin/auth/me' : '/auth/me'))
      assert.equal((user as unknown as { avatar_url: string }).avatar_url, linkOf(id))
      assert.equal((await bytesAt(platform.host.api, textOf(avatar_url))).length > 0, true)
    }
  })

  it('are pictures of one’s own that are open to everybody, and nothing else', async () => {
    const theirs = await avatar(owner)
    const hidden = textOf((await uploaded(ann, 'hidden.png', photo))['id'])
    const text = textOf((await uploaded(ann, 'a.txt', Buffer.from('text'), { usage: 'avatar' }))['id'])
    const staffs = await avatar(platform.admin)
    const before = (await ann.get('/auth/me')).body['data']
    const choose = (body: object): Promise<unknown> => ann.patch('/auth/profile', body).then(said)
    assert.deepEqual(
      [
        await choose({ avatar_attachment_id: theirs }),
        await choose({ avatar_attachment_id: staffs }),
        await choose({ avatar_attachment_id: hidden }),
        await choose({ avatar_attachment_id: text }),
        await choose({ avatar_attachment_id: '../../etc/passwd' }),
        await choose({ avatar_attachment_id: await avatar(ann, 1), avatar_url: 'https://a.test/b.png' }),
      ],
      [
        [4220, 'not_found'],
        [4220, 'not_found'],
        [4220, 'visibility'],
        [4220, 'type'],
        [4220, 'format'],
        [4220, 'exclusive'],
      ],
    )
    assert.deepEqual((await ann.get('/auth/me')).body['data'], before)
  })

  it('are kept while they are avatars, and let go of when another takes their place', async () => {
    const [first, second] = [await avatar(ann, 2), await avatar(ann, 3)]
    dataOf(await ann.patch('/auth/profile', { avatar_attachment_id: first }))
    const refused = await ann.delete(`/attachments/${first}`)
    assert.deepEqual([refused.status, refused.body['code'], refused.body['reason']], [409, 4095, 'attachment_in_use'])
    assert.match(JSON.stringify(refused.body['details']), /^\{"by":\["avatar:\d+"\]\}$/)
    dataOf(await ann.patch('/auth/profile', { avatar_attachment_id: second }))
    dataOf(await ann.delete(`/attachments/${first}`))
    // A form that sends back what it was shown changes nothing.
    dataOf(await ann.patch('/auth/profile', { avatar_url: linkOf(second), nickname: 'Ann' }))
    assert.equal((await ann.delete(`/attachments/${second}`)).status, 409)
    assert.equal(dataOf(await ann.patch('/auth/profile', { avatar_attachment_id: null }))['avatar_url'], '')
    dataOf(await ann.delete(`/attachments/${second}`))
  })

  it('are let go of when an address takes their place, whoever writes it', async () => {
    const id = await avatar(ann, 4)
    const { id: user } = dataOf(await ann.patch('/auth/profile', { avatar_attachment_id: id }))
    dataOf(await owner.put(`/tenant/users/${textOf(user)}`, { nickname: 'Anna' }))
    assert.equal((await ann.delete(`/attachments/${id}`)).status, 409)
    dataOf(await owner.put(`/tenant/users/${textOf(user)}`, { avatar_url: 'https://pictures.test/a.png' }))
    dataOf(await ann.delete(`/attachments/${id}`))
  })

  it('are chosen for others by who may change them, and become theirs', async () => {
    const carl = await createUser(owner, 'acme', permissions)
    const { id: user } = dataOf(await carl.patch('/auth/profile', { nickname: 'Carl' }))
    const path = `/tenant/users/${textOf(user)}`
    const [given, used, plain] = [await avatar(owner, 6), await avatar(owner, 7), await avatar(ann, 8)]
    const general = textOf((await uploaded(owner, 'me.png', photo, { visibility: 'public' }))['id'])
    dataOf(await owner.patch('/auth/profile', { avatar_attachment_id: used }))
    const choose = (by: Api, id: string): Promise<unknown> => by.put(path, { avatar_attachment_id: id }).then(said)
    assert.deepEqual(
      [await choose(ann, plain), await choose(owner, plain), await choose(owner, used), await choose(owner, general)],
      [[4031], [4220, 'not_found'], [4220, 'not_found'], [4220, 'not_found']],
    )
    const row = platform.host.kernel.database.knex('attachments').where({ id: given })
    await row.update({ org_id: 7 }).queryContext({ tenant: 'all' })
    assert.equal(dataOf(await owner.put(path, { avatar_attachment_id: given }))['avatar_url'], linkOf(given))
    const { owner_id, org_id } = dataOf(await carl.get(`/attachments/${given}`))
    assert.deepEqual([owner_id, org_id], [user, null])
    assert.equal((await carl.delete(`/attachments/${given}`)).status, 409)
    assert.equal(dataOf(await owner.put(path, { avatar_attachment_id: null }))['avatar_url'], '')
    dataOf(await carl.delete(`/attachments/${given}`))
  })

  it('go with their user, and so does what nobody else could read', async () => {
    const bob = await createUser(owner, 'acme', permissions)
    const id = await avatar(bob, 5)
    const [hidden, shared] = await Promise.all(
      ['private', 'tenant'].map((visibility) => uploaded(bob, 'a.txt', Buffer.from(visibility), { visibility })),
    )
    const { id: user } = dataOf(await bob.patch('/auth/profile', { avatar_attachment_id: id }))
    const read = async (record: typeof hidden): Promise<unknown> =>
      said(await owner.get(`/tenant/attachments/${textOf(record?.['id'])}`))
    assert.equal(await read(hidden), 200)
    dataOf(await owner.delete(`/tenant/users/${textOf(user)}`))
    await until(async () => (await platform.host.api.get(linkOf(id))).status === 404)
    await until(async () => (await read(hidden)) !== 200)
    assert.deepEqual([await read(hidden), await read(shared)], [[4045], 200])
  })
})
