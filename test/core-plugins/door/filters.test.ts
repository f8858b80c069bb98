import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Api, Body } from '../../support/api.ts'
import { startTestPlatform, testPassword } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const day = 86_400_000
const text = (value: unknown) => (typeof value === 'number' ? String(value) : (value as string))
const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()

describe('a list', () => {
  it('is filtered by its fields, each as a whole and all together', async () => {
    await using platform = await startTestPlatform({ plugins: corePlugins.filter(({ name }) => name !== 'first_run') })
    const { admin } = platform
    const { owner } = await platform.createTenant('acme')
    await platform.createTenant('acme2')
    const person = { roles: [], password: testPassword }
    for (const name of ['anna', 'anna2']) {
      dataOf(await owner.post('/tenant/users', { ...person, account: name, email: `${name}@acme.test` }), 201)
      dataOf(await owner.post('/tenant/roles', { code: name, name }), 201)
    }
    const found = async (by: Api, path: string, field: string) => {
      const { items, total } = dataOf(await by.get(path)) as unknown as { items: Body[]; total: number }
      assert.equal(items.length, total, path)
      return items.map((item) => item[field] as unknown)
    }
    assert.deepEqual(await found(admin, '/admin/tenants?code=acme', 'code'), ['acme'])
    assert.deepEqual(await found(admin, '/admin/tenants?code=acme&status=disabled', 'code'), [])
    assert.deepEqual(await found(owner, '/tenant/roles?code=anna', 'code'), ['anna'])
    assert.deepEqual(await found(owner, '/tenant/users?account=Anna', 'account'), ['anna'])
    assert.deepEqual(await found(owner, '/tenant/users?email=ANNA2%40acme.test', 'account'), ['anna2'])
    assert.deepEqual(await found(owner, '/tenant/users?email=anna%40acme.test&account=anna2', 'account'), [])
    const names = ['app.acme.example.com', 'www.acme.example.com']
    for (const domain of names) assert.equal((await owner.post('/tenant/domains', { domain })).status, 201)
    assert.deepEqual(await found(owner, `/tenant/domains?domain=${names[0]?.toUpperCase()}`, 'domain'), [names[0]])
    assert.deepEqual((await found(owner, '/tenant/domains?status=pending&sort=domain', 'domain')).sort(), names)
    assert.deepEqual(await found(owner, '/tenant/domains?status=verified', 'domain'), [])
    assert.deepEqual(await found(admin, '/admin/backups?state=failed', 'state'), [])
    assert.deepEqual(await found(owner, `/tenant/users?from=${at(-day)}&account=anna`, 'account'), ['anna'])
    assert.deepEqual(await found(owner, `/tenant/users?to=${at(-day)}`, 'account'), [])
    assert.deepEqual(await found(owner, '/tenant/users?two_factor_enabled=true', 'account'), [])
    assert.deepEqual(await found(owner, '/tenant/roles?system=false&sort=code', 'code'), ['anna', 'anna2'])
    assert.deepEqual(await found(owner, '/tenant/roles?system=false&data_scope=ALL', 'code'), [])
    assert.deepEqual(await found(admin, `/admin/tenants?to=${at(-day)}`, 'code'), [])
  })

  it('of sessions, members, holders, hosts and keys is filtered by its fields', async () => {
    await using platform = await startTestPlatform({ plugins: corePlugins.filter(({ name }) => name !== 'first_run') })
    const { admin } = platform
    const acme = await platform.createTenant('acme')
    const { owner } = acme
    const all = async (by: Api, path: string) => dataOf(await by.get(path))['items'] as unknown as Body[]
    const count = async (by: Api, path: string, filters: readonly (readonly [string, number])[]) => {
      const counted = await Promise.all(
        filters.map(async ([filter]) => [filter, (await all(by, `${path}?${filter}`)).length]),
      )
      assert.deepEqual(counted, filters, path)
    }
    const anna = await platform.createUser(acme, 'anna@acme.test', ['tenant_owner'])
    const [session] = await all(anna.api, '/auth/sessions')
    assert.ok(session)
    const sessions = [
      ['current=true', 1],
      ['current=false', 0],
      [`ip=${text(session['ip'])}`, 1],
      ['ip=192.0.2.1', 0],
      ['device_name=none', 0],
      [`from=${at(-day)}`, 1],
      [`to=${at(-day)}`, 0],
    ] as const
    await count(anna.api, '/auth/sessions', sessions)
    await count(owner, `/tenant/users/${anna.id}/sessions`, [
      ['current=true', 0],
      ['current=false', 1],
      ...sessions.slice(2),
    ])
    const org = dataOf(await owner.post('/tenant/orgs', { name: 'north', code: 'north' }), 201)
    dataOf(await owner.put(`/tenant/orgs/${text(org['id'])}/members`, { user_ids: [anna.id], is_primary: true }))
    await count(owner, '/tenant/orgs', [
      ['code=north', 1],
      ['code=south', 0],
      ['leader_id=7', 0],
    ])
    await count(owner, `/tenant/orgs/${text(org['id'])}/members`, [
      ['is_primary=true', 1],
      ['is_primary=false', 0],
      [`user_id=${anna.id}`, 1],
      ['user_id=999999', 0],
      [`with_children=true&org_id=${text(org['id'])}`, 1],
      ['q=none', 0],
    ])
    const [role] = await all(owner, '/tenant/roles?code=tenant_owner')
    const [holder] = await all(owner, `/tenant/roles/${text(role?.['id'])}/users`)
    await count(owner, `/tenant/roles/${text(role?.['id'])}/users`, [
      [`user_id=${text(holder?.['user_id'])}`, 1],
      ['user_id=999999', 0],
      ['q=none', 0],
    ])
    for (const path of ['/admin/hosts', '/admin/system/hosts']) {
      await count(admin, path, [
        ['alive=true', 1],
        ['alive=false', 0],
        ['is_this=true', 1],
        ['is_this=false', 0],
        ['version=0.0.0-none', 0],
      ])
    }
    const { publicKey } = generateKeyPairSync('ed25519')
    const key = { publisher: 'north', kid: 'one', level: 'verified', public_key: publicKey.export({ format: 'jwk' }).x }
    dataOf(await admin.post('/admin/plugins/publishers', key), 201)
    await count(admin, '/admin/plugins/publishers', [
      ['publisher=north&kid=one', 1],
      ['publisher=nort', 0],
      ['level=verified', 1],
      ['level=official', 0],
      ['believed=false', 1],
      ['believed=true', 0],
      ['source=none', 0],
      ['added_by=999999', 0],
      [`from=${at(-day)}`, 1],
      [`to=${at(-day)}`, 0],
    ])
    await count(admin, '/admin/plugins/sources', [['status=failing&enabled=true', 0]])
    await count(admin, '/admin/jobs', [['key=none', 0]])
    await count(admin, '/admin/configs/changes', [
      ['tenant_id=999999&group=none', 0],
      ['id=999999', 0],
    ])
    await count(admin, '/admin/plugins/operations', [['plugin=none&actor=7', 0]])
    await count(owner, '/notifications', [['level=error&source=none', 0]])
    await count(owner, '/tenant/users/invites', [['email=none%40acme.test&invited_by=7', 0]])
    await count(owner, '/tenant/audit-logs', [
      ['acting_id=7', 0],
      ['trace_id=none', 0],
    ])
    const [line] = await all(owner, '/tenant/audit-logs?limit=1')
    const named = await all(owner, `/tenant/audit-logs?id=${Number(line?.['id'])}`)
    assert.deepEqual(named, [line])
    const traced = await all(owner, `/tenant/audit-logs?trace_id=${text(line?.['trace_id'])}`)
    assert.ok(traced.length > 0 && traced.every((each) => each['trace_id'] === line?.['trace_id']))
  })

  it('of a tenant’s plugins tells those that it enabled from those that run for every tenant', async () => {
    await using platform = await startTestPlatform({ plugins: corePlugins.filter(({ name }) => name !== 'first_run') })
    const { admin } = platform
    const { owner, id } = await platform.createTenant('acme')
    await installAndEnable(admin, await packSmall('acme.everywhere', { scope: 'platform' }))
    await installAndEnable(admin, await packSmall('acme.own'))
    const names = async (query: string) => {
      const { items, total } = dataOf(await owner.get(`/tenant/plugins?${query}&page_size=1`)) as unknown as {
        items: Body[]
        total: number
      }
      return [total, ...items.map(({ name }) => name as unknown)]
    }
    dataOf(await admin.post('/admin/plugins/acme.own/tenants', { tenant_ids: [id] }))
    assert.deepEqual(await names('enabled=true'), [1, 'acme.everywhere'])
    assert.deepEqual(await names('enabled=true&scope=tenant'), [0])
    dataOf(await owner.post('/tenant/plugins/acme.own/enable'))
    assert.deepEqual(await names('enabled=true&scope=tenant'), [1, 'acme.own'])
    assert.deepEqual(await names('enabled=true&scope=platform'), [1, 'acme.everywhere'])
  })
})
