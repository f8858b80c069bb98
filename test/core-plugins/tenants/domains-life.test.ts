import assert from 'node:assert/strict'
import type { Body } from '../../support/api.ts'
import type { TestTenant } from '../../support/identity.ts'
import { startDomainWorld, textOf, type DomainWorld } from './domains-world.ts'

const minute = 60_000
const day = 24 * 60 * minute

describe('the life of a domain', () => {
  let world: DomainWorld
  let acme: TestTenant
  let beta: TestTenant
  before(async () => {
    world = await startDomainWorld()
    acme = await world.platform.createTenant('acme')
    beta = await world.platform.createTenant('beta')
  })
  after(() => world[Symbol.asyncDispose]())

  const rowOf = async (tenant: TestTenant, domain: string): Promise<Body | undefined> =>
    (await world.list(tenant)).find((row) => textOf(row['domain']) === domain)
  const statusOf = async (tenant: TestTenant, domain: string): Promise<unknown> =>
    (await rowOf(tenant, domain))?.['status']
  const lookupsOf = (domain: string): number =>
    world.dns.questions.filter((question) => question === `TXT _tenant-verify.${domain}`).length
  const tenantAt = async (host: string): Promise<unknown> =>
    (await world.platform.test.api.get('/api/public/tenant/config', { host })).body['data']?.['tenant_code']

  it('begins with looks at it after 1, 2, 5, 15 and 60 minutes, then daily, until the proof is there', async () => {
    await world.bind(acme, 'slow.example')
    await world.poll()
    const waits = []
    for (let round = 0; round < 8; round++) {
      const next = Date.parse(textOf((await rowOf(acme, 'slow.example'))?.['next_check_at']))
      waits.push(Math.round((next - Date.now()) / minute))
      await world.age('slow.example', next - Date.now() + 1)
      await world.poll()
    }
    const asked = lookupsOf('slow.example')
    await world.poll()
    assert.deepEqual([waits, asked, lookupsOf('slow.example')], [[1, 2, 5, 15, 60, 1440, 1440, 1440], 8, 8])
    await world.prove(acme, 'slow.example')
    await world.age('slow.example', day)
    await world.poll()
    assert.deepEqual([await statusOf(acme, 'slow.example'), await tenantAt('slow.example')], ['verified', 'acme'])
  })

  it('forgives two days without the record, and servers that are away, but not three; and two weeks later it ends', async () => {
    const { body } = await world.bind(acme, 'lost.example')
    await world.prove(acme, 'lost.example')
    await world.verify(acme, body['data']?.['id'])
    const txt = '_tenant-verify.lost.example'
    const states = []
    for (const records of [[], undefined, [], undefined, []]) {
      world.zone.set(`TXT ${txt}`, records)
      await world.age('lost.example', day)
      await world.poll()
      states.push(await statusOf(acme, 'lost.example'))
    }
    assert.deepEqual(states, ['verified', 'verified', 'verified', 'verified', 'failed'])
    assert.deepEqual([await tenantAt('lost.example'), world.losses.includes('failed lost.example')], [undefined, true])
    await world.age('lost.example', 13 * day)
    await world.poll()
    const kept = await statusOf(acme, 'lost.example')
    await world.age('lost.example', day)
    await world.poll()
    assert.deepEqual(
      [kept, await rowOf(acme, 'lost.example'), world.losses.includes('unbound lost.example')],
      ['failed', undefined, true],
    )
  })

  it('is looked up by one host, when several find that its time has come', async () => {
    await world.bind(acme, 'shared.example')
    await world.age('shared.example', 2 * minute)
    await Promise.all([world.poll(), world.poll(), world.poll()])
    assert.equal(lookupsOf('shared.example'), 1)
  })

  it('goes on when the record comes back', async () => {
    const { body } = await world.bind(acme, 'back.example')
    await world.prove(acme, 'back.example')
    await world.verify(acme, body['data']?.['id'])
    const name = 'TXT _tenant-verify.back.example'
    const proof = world.zone.get(name)
    world.zone.set(name, ['something else'])
    for (let round = 0; round < 3; round++) {
      await world.age('back.example', day)
      await world.poll()
    }
    const lost = await statusOf(acme, 'back.example')
    world.zone.set(name, proof)
    await world.age('back.example', day)
    await world.poll()
    assert.deepEqual([lost, await statusOf(acme, 'back.example')], ['failed', 'verified'])
  })

  it('is not ended by strangers who ask about it while its record is gone', async () => {
    const { body } = await world.bind(acme, 'asked.example')
    await world.prove(acme, 'asked.example')
    await world.verify(acme, body['data']?.['id'])
    world.zone.set('TXT _tenant-verify.asked.example', [])
    for (let round = 0; round < 5; round++) {
      await world.age('asked.example', 2 * minute)
      await world.ask(acme, 'asked.example')
    }
    assert.equal(await statusOf(acme, 'asked.example'), 'verified')
  })

  it('is not begun by a tenant without the proof, and goes over to one that has it', async () => {
    const { body } = await world.bind(acme, 'sold.example')
    await world.prove(acme, 'sold.example')
    await world.verify(acme, body['data']?.['id'])
    const refused = await world.bind(beta, 'sold.example')
    await world.prove(beta, 'sold.example')
    const bound = await world.bind(beta, 'sold.example')
    assert.deepEqual(
      [
        refused.status,
        refused.body['code'],
        refused.body['details']?.['domain'],
        bound.status,
        bound.body['data']?.['status'],
      ],
      [409, 4097, 'sold.example', 201, 'verified'],
    )
    assert.deepEqual(
      [
        await statusOf(acme, 'sold.example'),
        await tenantAt('sold.example'),
        world.losses.includes('superseded sold.example'),
      ],
      ['superseded', 'beta', true],
    )
    // The old record still stands in the zone: it wins nothing back, also not for a new binding.
    await world.age('sold.example', 2 * minute)
    const back = await world.verify(acme, body['data']?.['id'])
    await acme.owner.delete(`/tenant/domains/${textOf(body['data']?.['id'])}`)
    const anew = await world.bind(acme, 'sold.example')
    assert.deepEqual([back.body['code'], anew.body['code'], await tenantAt('sold.example')], [4097, 4097, 'beta'])
    const name = 'TXT _tenant-verify.sold.example'
    world.zone.set(name, world.zone.get(name)?.slice(0, 1))
    const again = await world.bind(acme, 'sold.example')
    assert.deepEqual([again.body['data']?.['status'], await tenantAt('sold.example')], ['verified', 'acme'])
  })

  it('of another tenant is looked up five times a minute for each who wants it', async () => {
    const { body } = await world.bind(acme, 'rare.example')
    await world.prove(acme, 'rare.example')
    await world.verify(acme, body['data']?.['id'])
    const codes: unknown[] = []
    for (let count = 0; count < 5; count += 1) codes.push((await world.bind(beta, 'rare.example')).body['code'])
    await world.prove(beta, 'rare.example')
    codes.push((await world.bind(beta, 'rare.example')).body['code'])
    assert.deepEqual([codes, await tenantAt('rare.example')], [Array(6).fill(4097), 'acme'])
  })

  it('is one of fifty that a tenant may have, also when many come at once', async () => {
    const rich = await world.platform.createTenant('rich')
    const rows = Array.from({ length: 49 }, (_, at) => ({ tenant_id: rich.id, domain: `n${at}.rich.example` }))
    await world.platform.test.kernel.database.knex('tenant_domains').insert(rows).queryContext({ tenant: 'all' })
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => world.bind(rich, `${name}.rich.example`)))
    assert.deepEqual(answers.map(({ body }) => body['code']).sort(), [0, 4002, 4002])
  })

  it('given by the platform’s administrator needs no record, and yields to one', async () => {
    await world.platform.admin.put(`/admin/tenants/${acme.id}`, { domains: ['given.example'] })
    await world.age('given.example', 30 * day)
    await world.poll()
    const row = await rowOf(acme, 'given.example')
    await world.prove(beta, 'given.example')
    const { body } = await world.bind(beta, 'given.example')
    assert.deepEqual(
      [row?.['status'], row?.['trusted'], lookupsOf('given.example') > 0, body['data']?.['trusted']],
      ['verified', true, true, false],
    )
    assert.deepEqual([await statusOf(acme, 'given.example'), await tenantAt('given.example')], ['superseded', 'beta'])
  })

  it('leaves its lines in the tenant’s log', async () => {
    const { body } = await world.bind(beta, 'logged.example')
    const id = textOf(body['data']?.['id'])
    await world.prove(beta, 'logged.example')
    await world.verify(beta, id)
    await beta.owner.put(`/tenant/domains/${id}/primary`)
    await beta.owner.delete(`/tenant/domains/${id}`)
    const log = await beta.owner.get('/tenant/audit-logs?limit=100')
    const lines = (log.body['data']?.['items'] as unknown as { action: string; target: string }[])
      .filter(({ target }) => target === 'domain:logged.example')
      .map(({ action }) => action.replace('tenant_domain.', ''))
    assert.deepEqual(lines, ['deleted', 'chosen', 'verified', 'created'])
  })
})
