import assert from 'node:assert/strict'
import { testPassword } from '../../support/identity.ts'
import { assertTakesAsLong, codesOf, startCodesWorld, type CodesWorld } from './codes-world.ts'

const fresh = 'another long passphrase'

describe('links for a new password', () => {
  let world: CodesWorld
  before(async () => {
    world = await startCodesWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const linkTo = async (email: string): Promise<URL> => {
    const { text } = await world.message(email, 'reset_link')
    return new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? assert.fail('no link'))
  }
  const reset = (token: unknown) => world.post('/auth/reset-password', { token, new_password: fresh })

  it('lead to the tenant’s own address, whatever host is called', async () => {
    const { email } = await world.user()
    const host = 'evil.example'
    const headers = { 'x-forwarded-host': host, 'x-forwarded-for': '10.1.1.1', 'x-forwarded-proto': 'https' }
    const body = { email, tenant_code: 'acme' }
    const asked = await world.platform.test.api.post('/auth/forgot-password', body, { host, headers })
    const link = await linkTo(email)
    assert.deepEqual([asked.status, link.hostname, link.pathname], [200, 'acme.localhost', '/console/reset-password'])
  })

  it('lead to the primary domain of a tenant that has one', async () => {
    const owner = { email: 'owner@domain.test', password: testPassword }
    const domains = ['app.domain.example', 'www.domain.example']
    await world.platform.admin.post('/admin/tenants', { code: 'domain', name: 'Domain', owner, domains })
    await world.post('/auth/forgot-password', { email: owner.email, tenant_code: 'domain' })
    assert.equal((await linkTo(owner.email)).origin, 'https://app.domain.example')
  })

  it('are worth nothing when they are too old, made up, or of a user or a tenant that is gone', async () => {
    const token = async (email: string, code = 'acme') => {
      await world.post('/auth/forgot-password', { email, tenant_code: code })
      return new URLSearchParams((await linkTo(email)).hash.slice(1)).get('token')
    }
    const old = await token((await world.user()).email)
    await world.change('auth_reset_links', { expires_at: new Date() })
    const leaver = await world.user()
    const left = await token(leaver.email)
    await world.acme.owner.delete(`/tenant/users/${leaver.id}`)
    const gone = await world.platform.createTenant('gone')
    const lost = await token('owner@gone.test', 'gone')
    await world.platform.admin.delete(`/admin/tenants/${gone.id}`)
    const answers = [await reset(old), await reset(left), await reset(lost), await reset(`rp_${'a'.repeat(43)}`)]
    assert.deepEqual(codesOf(answers), [4006, 4006, 4006, 4006])
  })

  it('open nothing once the credentials they were made for have changed, though nobody was told', async () => {
    const { id, email } = await world.user()
    await world.post('/auth/forgot-password', { email, tenant_code: 'acme' })
    const token = new URLSearchParams((await linkTo(email)).hash.slice(1)).get('token')
    const { knex } = world.platform.test.kernel.database
    await knex('users').where({ id }).increment('version').queryContext({ tenant: 'all' })
    assert.deepEqual(codesOf([await reset(token)]), [4006])
  })

  it('of a tenant that is shut open nothing until it is open again', async () => {
    const shut = await world.platform.createTenant('shut')
    await world.post('/auth/forgot-password', { email: 'owner@shut.test', tenant_code: 'shut' })
    const token = new URLSearchParams((await linkTo('owner@shut.test')).hash.slice(1)).get('token')
    await world.platform.admin.put(`/admin/tenants/${shut.id}`, { status: 'disabled' })
    const refused = await reset(token)
    await world.platform.admin.put(`/admin/tenants/${shut.id}`, { status: 'active' })
    assert.deepEqual(codesOf([refused, await reset(token)]), [4035, 0])
  })

  it('of the platform’s staff open nothing where the staff may not come from', async () => {
    const { admin } = world.platform
    const email = 'auditor@stoa.test'
    await admin.post('/admin/users', { email, password: testPassword, roles: ['platform_auditor'] })
    await world.post('/admin/auth/forgot-password', { email })
    const token = new URLSearchParams((await linkTo(email)).hash.slice(1)).get('token')
    const use = () => world.post('/admin/auth/reset-password', { token, new_password: fresh })
    await world.configure(admin, 'platform_security', { admin_ip_allowlist: ['127.0.0.1'] })
    const refused = await use()
    await world.configure(admin, 'platform_security', { admin_ip_allowlist: [] })
    assert.deepEqual(codesOf([refused, await use()]), [4030, 0])
  })

  it('are stored as hashes', async () => {
    const { email, id } = await world.user()
    await world.post('/auth/forgot-password', { email, tenant_code: 'acme' })
    const token = new URLSearchParams((await linkTo(email)).hash.slice(1)).get('token') ?? ''
    const { knex } = world.platform.test.kernel.database
    const rows = (await knex('auth_reset_links').where({ user_id: id }).queryContext({ tenant: 'all' })) as unknown[]
    assert.equal(rows.length, 1)
    assert.equal(JSON.stringify(rows).includes(token.slice(3)), false)
  })

  it('take as long to ask for when nobody has the account', async () => {
    await assertTakesAsLong(world, (email) => world.post('/auth/forgot-password', { email, tenant_code: 'acme' }))
  })
})
