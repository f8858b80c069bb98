import assert from 'node:assert/strict'
import { corePlugins } from '../../core-plugins/index.ts'
import type { Api, Body } from '../support/api.ts'
import { startTestPlatform, testPassword } from '../support/identity.ts'
import { dataOf } from '../support/platform.ts'

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
  }).timeout(60_000)
})
