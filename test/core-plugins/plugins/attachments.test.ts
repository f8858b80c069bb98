import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { KnownAttachments } from '../../../core-plugins/attachments/access/known-attachments.ts'
import { sweepExpired } from '../../../core-plugins/attachments/files/sweep.ts'
import { jobs } from '../../../core-plugins/jobs/contract.ts'
import type { Answer, Api, Body } from '../../support/api.ts'
import { bytesAt, pathOf, textOf, uploaded } from '../../support/attachments.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { answer, ask, codeOf, form, names, sendForm, type SentFile } from './attachments-calls.ts'
import { packFiles } from './attachments-plugin.ts'

const both = ['attachments:read', 'attachments:write']
const everything = ['user_attachment:*', 'user_profile:*']
const everybody = { tenant: 'all' } as const

describe('attachments of plugins', () => {
  let platform: Platform
  let owner: Api
  let ann: Api
  let bob: Api
  let rival: Api
  before(async () => {
    platform = await startPlatform()
    const acme = await createTenant(platform.admin, 'acme')
    const other = await createTenant(platform.admin, 'rival')
    ;[owner, rival] = [acme.owner, other.owner]
    ann = await createUser(owner, 'acme', everything)
    bob = await createUser(owner, 'acme', everything)
    const plugins = { 'acme.files': both, 'acme.others': both, 'acme.reader': ['attachments:read'] }
    for (const [name, capabilities] of Object.entries(plugins)) {
      await installAndEnable(platform.admin, await packFiles(name, capabilities))
      dataOf(await platform.admin.post(`/admin/plugins/${name}/tenants`, { tenant_ids: [acme.id, other.id] }))
      for (const by of [owner, rival]) dataOf(await by.post(`/tenant/plugins/${name}/enable`))
    }
  })
  after(() => platform[Symbol.asyncDispose]())

  const publicly = (name: string, args: readonly unknown[]): Promise<Answer> =>
    platform.host.api.post(
      '/api/public/plugins/acme.files/api/call',
      { name, args },
      { headers: { host: 'acme.localhost' } },
    )

  it('are made for the caller, found, read in parts, linked to and deleted', async () => {
    const made = await answer(ann, 'create', [{ filename: '../../etc/\u202epass.txt', data: 'some words' }])
    const { id, filename, size, isOwn, visibility, mimeType, expiresAt } = made
    assert.deepEqual(
      [filename, size, isOwn, visibility, mimeType, expiresAt],
      ['pass.txt', 10, true, 'private', 'text/plain', null],
    )
    assert.equal(dataOf(await ann.get(`/attachments/${textOf(id)}`))['usage'], 'plugin')
    assert.deepEqual(await answer(ann, 'find', [id]), made)
    assert.deepEqual(await answer(ann, 'read', [id]), { base64: Buffer.from('some words').toString('base64') })
    assert.deepEqual(await answer(ann, 'read', [id, { offset: 5, length: 3 }]), {
      base64: Buffer.from('wor').toString('base64'),
    })
    const url = await answer(ann, 'link', [id, { ttlSeconds: 60 }])
    assert.deepEqual(await bytesAt(platform.host.api, pathOf(url)), Buffer.from('some words'))
    const { knex: db } = platform.host.kernel.database
    await db('attachments').queryContext(everybody).where({ id }).update({ status: 'pending' })
    assert.equal((await answer(ann, 'find', [id]))['status'], 'pending')
    assert.equal(dataOf(await ask(ann, 'find', [id], 'acme.others')), null)
    assert.deepEqual(
      [codeOf(await ask(ann, 'read', [id])), codeOf(await ask(ann, 'link', [id, { ttlSeconds: 60 }]))],
      [4040, 4040],
    )
    dataOf(await ask(ann, 'keep', [id]))
    dataOf(await ask(ann, 'delete', [id]))
    assert.equal(dataOf(await ask(ann, 'find', [id])), null)
  })

  it('are those that the caller may read, and what the plugin made, and nobody else’s', async () => {
    const upload = async (by: Api, name: string, visibility: string): Promise<string> =>
      textOf((await uploaded(by, name, Buffer.from(name), { visibility }))['id'])
    const ids = [
      await upload(ann, 'anns.txt', 'private'),
      await upload(bob, 'bobs.txt', 'private'),
      await upload(bob, 'ours.txt', 'tenant'),
      await upload(bob, 'open.txt', 'public'),
      await upload(rival, 'theirs.txt', 'public'),
    ]
    const own = textOf((await answer(bob, 'create', [{ filename: 'made.txt', data: 'made' }]))['id'])
    assert.deepEqual(await names(ann), ['made.txt', 'open.txt', 'ours.txt', 'anns.txt'])
    // Whoever administers the tenant reads more; a plugin does not.
    assert.deepEqual(await names(owner), ['made.txt', 'open.txt', 'ours.txt'])
    assert.deepEqual(await names(ann, {}, 'acme.others'), ['open.txt', 'ours.txt', 'anns.txt'])
    assert.deepEqual(await names(rival), ['theirs.txt'])
    assert.deepEqual(await names(ann, { own: true }), ['made.txt'])
    assert.deepEqual(await names(ann, { q: 'N.T', type: 'text' }), ['open.txt'])
    for (const [by, id] of [
      [ann, ids[1]],
      [ann, ids[4]],
      [rival, ids[3]],
      [rival, own],
      [owner, ids[0]],
    ] as const) {
      assert.equal(dataOf(await ask(by, 'find', [id])), null)
      for (const [name, ...more] of [['read'], ['link', { ttlSeconds: 60 }], ['keep'], ['delete']] as const)
        assert.equal(codeOf(await ask(by, name, [id, ...more])), 4040, name)
    }
    const { cursor } = await answer(ann, 'list', [{ limit: 3 }])
    assert.deepEqual(await names(ann, { limit: 3, cursor }), ['anns.txt'])
    const { attachments } = dataOf(await publicly('list', [{}]))
    const items = attachments as unknown as { filename: string }[]
    assert.deepEqual(
      items.map(({ filename }) => filename),
      ['made.txt', 'open.txt'],
    )
    assert.equal(dataOf(await publicly('find', [ids[2]])), null)
  })

  it('of others are not a plugin’s to keep or delete, also where it may read them', async () => {
    const mine = textOf((await uploaded(ann, 'mine.txt', Buffer.from('mine')))['id'])
    const made = textOf((await answer(ann, 'create', [{ filename: 'a.txt', data: 'a' }]))['id'])
    assert.deepEqual(
      [
        codeOf(await ask(ann, 'delete', [mine])),
        codeOf(await ask(ann, 'keep', [mine])),
        codeOf(await ask(ann, 'delete', [made], 'acme.others')),
      ],
      [4030, 4030, 4030],
    )
    assert.equal((await ann.get(`/attachments/${mine}`)).status, 200)
  })

  it('are for plugins with the right for it alone', async () => {
    const id = textOf((await answer(ann, 'create', [{ filename: 'a.txt', data: 'a' }]))['id'])
    const refused = await ask(ann, 'create', [{ filename: 'b.txt', data: 'b' }], 'acme.reader')
    assert.deepEqual(
      [refused.status, refused.body['code'], refused.body['details']],
      [403, 4039, { capability: 'attachments:write' }],
    )
    const rights = (granted: readonly string[]): Promise<Answer> =>
      platform.admin.put('/admin/plugins/acme.others/capabilities', { granted })
    dataOf(await rights(['attachments:write']))
    const unread = await ask(ann, 'find', [id], 'acme.others')
    assert.deepEqual(
      [unread.status, unread.body['code'], unread.body['details']],
      [403, 4039, { capability: 'attachments:read' }],
    )
    dataOf(await rights(['attachments:read']))
    assert.equal(codeOf(await form(ann, {}, [{ name: 'a.txt', content: Buffer.from('a') }], 'acme.others')), 4039)
    dataOf(await rights(both))
  })

  it('follow the rights of the caller, the rules of uploads and the bounds of a call', async () => {
    const guest = await createUser(owner, 'acme', ['user_profile:*'])
    await uploaded(ann, 'ours2.txt', Buffer.from('x'), { visibility: 'tenant' })
    const create = (by: Api, file: object): Promise<unknown> => ask(by, 'create', [file]).then(codeOf)
    assert.equal(await create(guest, { filename: 'a.txt', data: 'a' }), 4030)
    assert.equal(((await names(guest, { q: 'ours2' })) as string[]).length, 0)
    assert.deepEqual(
      [
        await create(ann, { filename: 'a.exe', data: 'a' }),
        await create(ann, { filename: 'a.png', data: 'no picture' }),
        await create(ann, { filename: 'NUL', data: 'a' }),
        await create(ann, { filename: 'a.txt', data: { base64: '?' } }),
        await create(ann, { filename: 'a.txt', data: 'a', visibility: 'everyone' }),
        await create(ann, { filename: 'a.txt', data: 'a', ttlSeconds: 1 }),
        codeOf(await ask(ann, 'find', ['../../x'])),
        codeOf(await ask(ann, 'list', [{ q: 'aNUL' }])),
        codeOf(await ask(ann, 'list', [{ limit: 101 }])),
        codeOf(await ask(ann, 'link', ['019a0000-0000-7000-8000-000000000000', { ttlSeconds: 604_801 }])),
      ],
      [4002, 4002, 4002, 4002, 4002, 4002, 4002, 4002, 4002, 4002],
    )
    const large = textOf((await uploaded(ann, 'large.txt', Buffer.alloc(900_000, 'x')))['id'])
    assert.equal(codeOf(await ask(ann, 'read', [large])), 4220)
    assert.deepEqual(await answer(ann, 'read', [large, { offset: 899_999 }]), { base64: 'eA==' })
  })

  it('have a quota for each plugin and tenant', async () => {
    const quota = (megabytes: number): Promise<Answer> =>
      platform.admin.put('/admin/configs/groups/platform_plugin', { plugin_attachment_quota_mb: megabytes })
    dataOf(await quota(1))
    const half = { filename: 'half.txt', data: 'x'.repeat(600_000) }
    const tries = await Promise.all([1, 2, 3].map(() => ask(bob, 'create', [half], 'acme.others')))
    assert.deepEqual(tries.map(codeOf).sort(), [200, 4297, 4297])
    assert.equal(codeOf(await ask(rival, 'create', [half], 'acme.others')), 200)
    dataOf(await quota(200))
    assert.equal(codeOf(await ask(bob, 'create', [half], 'acme.others')), 200)
  })

  it('come as forms: the handler sees fields and references, and what is not kept goes', async () => {
    const files = [
      { name: '../a.txt', content: Buffer.from('first') },
      { name: 'b.csv', content: Buffer.from('1,2') },
    ]
    const seen = dataOf(await form(ann, { title: 'two' }, files))
    const received = seen['files'] as unknown as Body[]
    assert.deepEqual(
      [seen['fields'], received.map(({ field, filename, size }) => [field, filename, size])],
      [
        { title: 'two' },
        [
          ['file', 'a.txt', 5],
          ['file', 'b.csv', 3],
        ],
      ],
    )
    assert.equal(JSON.stringify(seen).includes(Buffer.from('first').toString('base64')), false)
    const kept = dataOf(await form(ann, { keeps: 'yes' }, [{ name: 'c.txt', content: Buffer.from('kept') }]))
    const ids = [...received, ...(kept['files'] as unknown as Body[])].map(({ id }) => textOf(id))
    const { knex: db } = platform.host.kernel.database
    const expiring = () => db('attachments').queryContext(everybody).whereNotNull('expires_at')
    await expiring().update({ expires_at: new Date(0) })
    await sweepExpired({ db, jobs: platform.host.kernel.services.get(jobs), known: new KnownAttachments(db) })
    assert.deepEqual(
      await Promise.all(ids.map(async (id) => (await ann.get(`/attachments/${id}`)).status)),
      [404, 404, 200],
    )
  })

  it('of forms that fail are gone at once, but for those that were kept', async () => {
    const left = async (): Promise<unknown> => names(ann, { q: 'failing' })
    const file = (name: string) => ({ name, content: Buffer.from('x') })
    const sent = async (fields: Record<string, string>, ...files: readonly SentFile[]): Promise<unknown> =>
      codeOf(await form(ann, fields, files))
    assert.equal(await sent({ fails: 'early' }, file('failing1.txt')), 5004)
    assert.equal(await sent({ fails: 'late' }, file('failing2.txt')), 4220)
    assert.equal(await sent({}, file('failing3.txt'), file('failing.exe')), 4008)
    assert.equal(await sent({}, ...['4', '5', '6', '7'].map((n) => file(`failing${n}.txt`))), 4130)
    const large = { name: 'failing9.txt', content: Buffer.alloc(1_048_577, 'x') }
    assert.equal(await sent({}, file('failing8.txt'), large), 4130)
    assert.equal(codeOf(await ann.post('/tenant/plugins/acme.files/api/forms', { a: 1 })), 4150)
    assert.deepEqual(await left(), [])
    assert.equal(await sent({ fails: 'late', keeps: 'yes' }, file('failing10.txt')), 4220)
    assert.deepEqual(await left(), ['failing10.txt'])
  })

  it('of strangers belong to nobody, and go with the plugin; those of users stay theirs', async () => {
    const at = '/api/public/plugins/acme.others/api/forms'
    const stranger = dataOf(
      await sendForm(platform.host.api, at, { keeps: 'yes' }, [{ name: 's.txt', content: Buffer.from('s') }], {
        host: 'acme.localhost',
      }),
    )
    const [{ id } = {} as Body] = stranger['files'] as unknown as Body[]
    const own = textOf((await answer(ann, 'create', [{ filename: 'stays.txt', data: 'stays' }], 'acme.others'))['id'])
    assert.equal(dataOf(await owner.get(`/tenant/attachments/${textOf(id)}`))['owner_id'], 0)
    dataOf(await platform.admin.post('/admin/plugins/acme.others/disable'))
    dataOf(await platform.admin.delete('/admin/plugins/acme.others?purge=true'))
    assert.equal((await owner.get(`/tenant/attachments/${textOf(id)}`)).status, 404)
    assert.equal((await ann.get(`/attachments/${own}`)).status, 200)
  })
})
