import assert from 'node:assert/strict'
import type { Answer, Body } from '../../support/api.ts'
import { textOf } from '../../support/attachments.ts'
import { dataOf } from '../../support/platform.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { changesOf, idsOf, rolesOf } from './read-users.ts'

const codeOf = ({ status, body }: Answer): unknown => [status, body['code']]

describe('users', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let other: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
    other = await platform.createTenant('other')
  })
  after(() => platform[Symbol.asyncDispose]())

  it('are created, read, changed and deleted by who may', async () => {
    const made = await acme.owner.post('/tenant/users', {
      email: ' Ann@Acme.Test'.trim(),
      account: 'Ann',
      phone: '+49 (30) 123-456',
      nickname: 'Ann',
      password: testPassword,
      roles: ['tenant_user'],
    })
    const id = Number(made.body['data']?.['id'])
    const changed = await acme.owner.put(`/tenant/users/${id}`, {
      nickname: 'Anna',
      phone: null,
      roles: ['tenant_admin'],
    })
    const read = await acme.owner.get(`/tenant/users/${id}`)
    const deleted = await acme.owner.delete(`/tenant/users/${id}`)
    const gone = await acme.owner.get(`/tenant/users/${id}`)
    const expected = {
      id,
      tenant_id: acme.id,
      account: 'ann',
      email: 'ann@acme.test',
      phone: '+4930123456',
      nickname: 'Ann',
      avatar_url: '',
      status: 'active',
      roles: [{ code: 'tenant_user', name: 'User' }],
      org_ids: [],
      locale: null,
      timezone: null,
      two_factor_enabled: false,
      last_login_at: null,
      created_at: made.body['data']?.['created_at'],
    }
    const after = {
      ...expected,
      nickname: 'Anna',
      phone: null,
      roles: [{ code: 'tenant_admin', name: 'Administrator' }],
    }
    assert.equal(made.status, 201)
    assert.deepEqual(
      [made, changed, read].map(({ body }) => body['data']),
      [expected, after, after],
    )
    assert.deepEqual([deleted.body['data'], codeOf(gone)], [{ deleted: true }, [404, 4040]])
  })

  it('have an account, e-mail and phone that nobody else in the tenant has, in any spelling', async () => {
    const user = { email: 'bob@acme.test', account: 'bob', phone: '+1 555 0100', roles: [] }
    const answers = [
      await acme.owner.post('/tenant/users', user),
      await acme.owner.post('/tenant/users', { email: 'BOB@ACME.TEST', roles: [] }),
      await acme.owner.post('/tenant/users', { email: 'b@acme.test', account: 'BOB', roles: [] }),
      await acme.owner.post('/tenant/users', { email: 'b@acme.test', phone: '001-555-0100', roles: [] }),
      await other.owner.post('/tenant/users', user),
    ]
    assert.deepEqual(
      answers.map(({ body }) => [body['code'], body['details']?.['field']]),
      [
        [0, undefined],
        [4091, 'email'],
        [4091, 'account'],
        [4091, 'phone'],
        [0, undefined],
      ],
    )
  })

  it('of another tenant are not there', async () => {
    const path = `/tenant/users/${other.ownerId}`
    const answers = [
      await acme.owner.get(path),
      await acme.owner.put(path, { nickname: 'x' }),
      await acme.owner.delete(path),
      await acme.owner.get(`/tenant/users/${platform.adminId}`),
      await platform.admin.get(`/admin/users/${acme.ownerId}`),
    ]
    assert.deepEqual(answers.map(codeOf), Array(5).fill([404, 4040]))
  })

  it('keep an owner: the last active one is neither deleted, disabled nor robbed of the role', async () => {
    const path = `/tenant/users/${acme.ownerId}`
    const second = await platform.createUser(acme, 'second@acme.test', ['tenant_owner'])
    await acme.owner.put(`/tenant/users/${second.id}`, { status: 'disabled' })
    const answers = [
      await acme.owner.delete(path),
      await acme.owner.put(path, { status: 'disabled' }),
      await acme.owner.put(path, { roles: ['tenant_user'] }),
      await acme.owner.put(path, { remove_roles: ['tenant_owner'] }),
    ]
    assert.deepEqual(answers.map(codeOf), Array(4).fill([409, 4094]))
  })

  it('get and lose roles one by one, whatever somebody else gives or takes meanwhile', async () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six']
    for (const code of names) {
      await acme.owner.post('/tenant/roles', { code, name: code, permissions: [], data_scope: 'ALL' })
    }
    const { id } = await platform.createUser(acme, 'many@acme.test', ['tenant_user', 'six'])
    const path = `/tenant/users/${id}`
    const held = () => rolesOf(acme.owner, id)
    const given = names.slice(0, 5).map((code) => acme.owner.put(path, { add_roles: [code] }))
    const answers = await Promise.all([...given, acme.owner.put(path, { remove_roles: ['six'] })])
    assert.deepEqual(answers.map(codeOf), Array(6).fill([200, 0]))
    assert.deepEqual(await held(), ['five', 'four', 'one', 'tenant_user', 'three', 'two'])
    const both = await acme.owner.put(path, { add_roles: ['six', 'one'], remove_roles: ['two', 'not_held'] })
    const unknown = await acme.owner.put(path, { add_roles: ['emperor'] })
    assert.deepEqual([both, unknown].map(codeOf), [
      [200, 0],
      [422, 4220],
    ])
    assert.deepEqual(await held(), ['five', 'four', 'one', 'six', 'tenant_user', 'three'])
    const before = await changesOf(acme.owner, id)
    // Seven changed something; the one that was refused did not.
    assert.equal(before, 7)
    const same = [{ add_roles: ['six'] }, { remove_roles: ['two'] }, { roles: await held() }, { nickname: 'many' }]
    for (const change of [...same, { nickname: 'many' }]) {
      assert.deepEqual(codeOf(await acme.owner.put(path, change)), [200, 0])
    }
    // Nothing is said of what changed nothing: of the five the first nickname alone did.
    assert.equal(await changesOf(acme.owner, id), before + 1)
    const steward = await platform.createUser(acme, 'giver@acme.test', ['tenant_user'])
    await acme.owner.post('/tenant/roles', {
      ...{ code: 'changer', name: 'Changer', permissions: ['tenant_user:update'], data_scope: 'ALL' },
    })
    await acme.owner.put(`/tenant/users/${steward.id}`, { add_roles: ['changer'] })
    assert.deepEqual(codeOf(await steward.api.put(path, { add_roles: ['tenant_owner'] })), [403, 4031])
  })

  it('keep a super administrator', async () => {
    assert.deepEqual(codeOf(await platform.admin.delete(`/admin/users/${platform.adminId}`)), [409, 4094])
  })

  it('keep one owner when two are deleted at once', async () => {
    const tenant = await platform.createTenant('twins')
    const twin = await platform.createUser(tenant, 'twin@twins.test', ['tenant_owner'])
    const answers = await Promise.all([
      tenant.owner.delete(`/tenant/users/${tenant.ownerId}`),
      twin.api.delete(`/tenant/users/${twin.id}`),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  })

  it('with fewer rights reach nobody above them', async () => {
    const admin = await platform.createUser(acme, 'admin@acme.test', ['tenant_admin'])
    const node = await platform.createUser(acme, 'node@acme.test', ['org_admin'])
    const custom = { code: 'steward', name: 'Steward', permissions: ['tenant_user:update'], data_scope: 'ALL' }
    await acme.owner.post('/tenant/roles', custom)
    const steward = await platform.createUser(acme, 'steward@acme.test', ['steward'])
    const roles = ['tenant_admin']
    const answers = [
      await admin.api.put(`/tenant/users/${acme.ownerId}`, { email: 'mine@acme.test' }),
      await admin.api.delete(`/tenant/users/${acme.ownerId}`),
      await admin.api.post('/tenant/users', { email: 'o@acme.test', roles: ['tenant_owner'] }),
      await steward.api.put(`/tenant/users/${admin.id}`, { status: 'disabled' }),
      await node.api.post('/tenant/users', { email: 'n@acme.test', roles }),
      await node.api.put(`/tenant/users/${node.id}`, { roles }),
      await node.api.post('/tenant/users', { email: 'plain@acme.test', roles: ['tenant_user'] }),
    ]
    assert.deepEqual(answers.map(codeOf), [...Array<unknown>(6).fill([403, 4031]), [201, 0]])
  })

  it('are refused whole when a role is unknown', async () => {
    const unknown = await acme.owner.post('/tenant/users', { email: 'u@acme.test', roles: ['tenant_user', 'emperor'] })
    const list = await acme.owner.get('/tenant/users?q=u@acme')
    assert.deepEqual(
      [codeOf(unknown), unknown.body['errors'], list.body['data']?.['total']],
      [
        [422, 4220],
        [{ field: 'roles', rule: 'known', message: 'there is no role emperor', params: { role: 'emperor' } }],
        0,
      ],
    )
  })

  it('are listed in pages, filtered and searched by what is typed, not by patterns', async () => {
    const list = await acme.owner.get('/tenant/users?status=disabled&sort=email&pageSize=1')
    const pattern = await acme.owner.get('/tenant/users?q=%25')
    const { items, ...page } = list.body['data'] as unknown as { items: Body[] }
    assert.deepEqual(
      [items.map(({ email }) => email), page, pattern.body['data']?.['total']],
      [['second@acme.test'], { total: 1, page: 1, page_size: 1, pages: 1 }, 0],
    )
  })

  it('are counted by status where that is asked for, whatever status is listed', async () => {
    const counted = await platform.createTenant('counted')
    const add = (at: number) =>
      counted.owner.post('/tenant/users', {
        email: `person${at}@counted.test`,
        password: 'a long enough passphrase',
        roles: ['tenant_user'],
      })
    const [first] = await Promise.all([1, 2, 3].map(add))
    const id = textOf(dataOf(first ?? assert.fail(), 201)['id'])
    dataOf(await counted.owner.put(`/tenant/users/${id}`, { status: 'disabled' }))
    const counts = async (query: string) =>
      dataOf(await counted.owner.get(`/tenant/users?${query}`))['counts'] as unknown
    const all = { active: 3, disabled: 1, pending_approval: 0, pending_verification: 0 }
    assert.deepEqual(await counts('counts=true'), all)
    assert.deepEqual(await counts('counts=true&status=disabled'), all)
    assert.deepEqual(await counts('counts=true&q=person2'), { ...all, active: 1, disabled: 0 })
    assert.equal(await counts('status=disabled'), undefined)
  })

  it('are listed by their ids, of which there may be a hundred, and never those of another tenant', async () => {
    const ids = await idsOf(acme.owner, '')
    const other = await platform.createTenant('byids')
    const foreign = await idsOf(other.owner, '')
    const wanted = [ids[0], ids[1], foreign[0], 2_147_483_647, 9_999_999_999]
    const found = await idsOf(acme.owner, `?ids=${wanted.join(',')}`)
    assert.deepEqual(found.toSorted(), [ids[0], ids[1]].toSorted())
    const many = Array.from({ length: 101 }, (_, at) => at + 1).join(',')
    const refused = await Promise.all(
      ['', '0', 'a', '1,', many].map((value) => acme.owner.get(`/tenant/users?ids=${value}`)),
    )
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body['code']]),
      Array(5).fill([422, 4221]),
    )
  })
})
