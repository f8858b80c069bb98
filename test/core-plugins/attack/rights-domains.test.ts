import assert from 'node:assert/strict'
import type { Answer, Api } from '../../support/api.ts'
import { issueSession } from '../../support/auth.ts'
import { testPassword, type TestTenant } from '../../support/identity.ts'
import { startDomainWorld, textOf, type DomainWorld } from '../tenants/domains-world.ts'

describe('attack: reading the owner’s reset link at a domain of one’s own', () => {
  let world: DomainWorld
  let acme: TestTenant

  before(async () => {
    world = await startDomainWorld()
    acme = await world.platform.createTenant('acme')
  })
  after(() => world[Symbol.asyncDispose]())

  /** Somebody who may manage the tenant's domains and is not its owner. */
  async function clerk(name: string): Promise<Api> {
    const permissions = ['tenant_domain:*']
    await acme.owner.post('/tenant/roles', { code: name, name, permissions })
    return (await world.platform.createUser(acme, `${name}@acme.test`, [name])).api
  }

  /** Puts proof and address of a domain into the zone. */
  async function serve(domain: string, tenant = acme): Promise<void> {
    await world.prove(tenant, domain)
    const { cname_target: target } = (await world.ask(tenant, domain)).body['data'] ?? {}
    world.zone.set(`CNAME ${domain}`, [textOf(target)])
  }

  const baseUrl = async () => {
    const tenant = await world.platform.admin.get(`/admin/tenants/${acme.id}`)
    return (tenant.body['data']?.['domains'] as unknown as readonly { domain: string; primary: boolean }[]).flatMap(
      ({ domain, primary }) => (primary ? [domain] : []),
    )
  }

  it('is not done by proving a domain, nor by choosing it', async () => {
    const api = await clerk('clerk')
    await serve('evil.example.com')
    const bound = await api.post('/tenant/domains', { domain: 'evil.example.com' })
    const id = textOf(bound.body['data']?.['id'])
    const verified = await api.post(`/tenant/domains/${id}/verify`)
    assert.deepEqual(
      [verified.body['data']?.['status'], verified.body['data']?.['serving'], verified.body['data']?.['is_primary']],
      ['verified', true, false],
    )
    await world.age('evil.example.com', 25 * 3_600_000)
    await world.poll()
    assert.deepEqual([outcome(await api.put(`/tenant/domains/${id}/primary`)), await baseUrl()], ['403 4031', []])
  })

  it('is not done by staff of the platform', async () => {
    const made = await world.platform.admin.post('/admin/users', {
      ...{ email: 'operator@stoa.test', password: testPassword, roles: ['platform_admin'] },
    })
    const staff = await world.platform.signIn(0, Number(made.body['data']?.['id']))
    const answer = await staff.put(`/admin/tenants/${acme.id}`, { domains: ['evil.example.net'] })
    assert.deepEqual([outcome(answer), await baseUrl()], ['403 4031', []])
    assert.equal(outcome(await staff.put(`/admin/tenants/${acme.id}`, { name: 'Acme Ltd' })), '200 0')
  })

  it('is the owner’s to decide, freshly signed in and in person', async () => {
    await serve('good.example.com')
    const bound = await acme.owner.post('/tenant/domains', { domain: 'good.example.com' })
    const id = textOf(bound.body['data']?.['id'])
    const acting = await world.platform.admin.post(`/admin/tenants/${acme.id}/impersonate`, { user_id: acme.ownerId })
    const impersonator = world.platform.test.api.as(acting.body['data']?.['access_token'])
    const refused = await impersonator.put(`/tenant/domains/${id}/primary`)
    const verified = await acme.owner.post(`/tenant/domains/${id}/verify`)
    const { knex } = world.platform.test.kernel.database
    const changes = (await knex('mail_delivery_changes').queryContext({ tenant: 'all' })) as readonly object[]
    assert.deepEqual(
      [outcome(refused), verified.body['data']?.['is_primary'], await baseUrl(), changes.length],
      ['403 4030', true, ['good.example.com'], 1],
    )
  })

  it('is not done by an owner’s session of long ago, nor in the owner’s place', async () => {
    const { admin, test } = world.platform
    const beta = await world.platform.createTenant('beta')
    const { id: session, refresh } = await issueSession(world.platform, beta.id, beta.ownerId)
    await test.kernel.database
      .knex('auth_sessions')
      .where({ id: session })
      .update({ created_at: new Date(Date.now() - 3_600_000) })
      .queryContext({ tenant: 'all' })
    const refreshed = await test.api.post('/auth/refresh', { refresh_token: refresh })
    const acting = await admin.post(`/admin/tenants/${beta.id}/impersonate`, { user_id: beta.ownerId })
    const outcomes: unknown[] = []
    for (const [name, answer] of Object.entries({ stale: refreshed, acting })) {
      const api = test.api.as(answer.body['data']?.['access_token'])
      const domain = `${name}.example.com`
      await serve(domain, beta)
      const bound = await api.post('/tenant/domains', { domain })
      const path = `/tenant/domains/${textOf(bound.body['data']?.['id'])}`
      const { status, is_primary: isPrimary } = (await api.post(`${path}/verify`)).body['data'] ?? {}
      outcomes.push([status, isPrimary, outcome(await api.put(`${path}/primary`))])
    }
    assert.deepEqual(outcomes, [
      ['verified', false, '401 4018'],
      ['verified', false, '403 4030'],
    ])
  })
})

function outcome({ status, body }: Answer): string {
  return `${status} ${body['code'] as unknown as number}`
}
