import assert from 'node:assert/strict'
import { tenantResolver } from '#kernel'
import type { Answer } from '../../support/api.ts'
import type { TestTenant } from '../../support/identity.ts'
import { invalidDomains } from './domains-invalid.ts'
import { startDomainWorld, textOf, type DomainWorld } from './domains-world.ts'

const codesOf = (answers: readonly Answer[]) => answers.map(({ status, body }) => [status, body['code']])

describe('a domain of a tenant', () => {
  let world: DomainWorld
  let acme: TestTenant
  let beta: TestTenant
  before(async () => {
    world = await startDomainWorld()
    await world.platform.admin.put('/admin/configs/groups/platform_domain', {
      platform_domains: ['stoa.example', 'localhost'],
      server_ips: ['203.0.113.7', '2001:db8::7'],
    })
    acme = await world.platform.createTenant('acme')
    beta = await world.platform.createTenant('beta')
  })
  after(() => world[Symbol.asyncDispose]())

  const found = async (host: string): Promise<unknown> => {
    const { status, body } = await world.platform.test.api.get('/api/public/tenant/config', { host })
    return status === 200 ? body['data']?.['tenant_code'] : body['code']
  }

  it('is told which records prove it, without being bound and without a look-up', async () => {
    const asked = world.dns.questions.length
    const { status, headers, body } = await world.ask(acme, 'App.Acme.co.uk.')
    const { txt_value: value, ...shown } = body['data'] as unknown as Record<string, unknown>
    const again = await world.ask(acme, 'app.acme.co.uk')
    const others = await world.ask(beta, 'app.acme.co.uk')
    assert.match(textOf(value), /^tenant-verify=[a-z2-7]{32}$/)
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
    assert.deepEqual(shown, {
      domain: 'app.acme.co.uk',
      cname_target: 'tenants.stoa.example',
      cname_name: 'app',
      txt_name: '_tenant-verify.app.acme.co.uk',
      is_verified: false,
      instructions: [
        'Add a CNAME record app that points to tenants.stoa.example',
        `Add a TXT record _tenant-verify.app.acme.co.uk with the value ${textOf(value)}`,
        'If your DNS proxy is on, switch it off until verified',
      ],
      status: 'unbound',
      checks: { txt: { ok: false, found: [] }, cname: { ok: false, found: [] }, a: { ok: false, found: [] } },
      checked_at: null,
      is_apex: false,
    })
    assert.equal(again.body['data']?.['txt_value'], value)
    assert.notEqual(others.body['data']?.['txt_value'], value)
    assert.equal(world.dns.questions.length, asked)
  })

  it('that is a whole zone is told of aliases and addresses, in the reader’s language', async () => {
    const { body } = await world.ask(acme, 'acme.co.uk', { 'accept-language': 'zh-CN' })
    const { is_apex: isApex, cname_name: name, instructions } = body['data'] as Record<string, unknown>
    assert.deepEqual(
      [isApex, name, (instructions as string[])[0]],
      [
        true,
        '@',
        '根域名：请使用指向 tenants.stoa.example 的 ALIAS/ANAME 记录，或指向 203.0.113.7, 2001:db8::7 的 A 记录',
      ],
    )
  })

  it('waits for its proof, answers to nobody until then, and leads links once it is there and serves', async () => {
    const bound = await world.bind(acme, 'App.Acme.Example')
    const id = bound.body['data']?.['id']
    const missing = await world.ask(acme, 'app.acme.example')
    const before = await found('app.acme.example')
    await world.prove(acme, 'app.acme.example')
    world.zone.set('CNAME app.acme.example', ['tenants.stoa.example'])
    const verified = await world.verify(acme, id)
    const tenant = await world.platform.test.kernel.services.get(tenantResolver).byCode('acme')
    const data = verified.body['data'] as Record<string, unknown>
    assert.deepEqual(
      [bound.status, bound.body['data']?.['status'], missing.body['data']?.['status'], before],
      [201, 'pending', 'pending', 4041],
    )
    assert.deepEqual(
      [data['status'], data['is_verified'], data['is_primary'], data['serving'], data['trusted']],
      ['verified', true, true, true, false],
    )
    assert.deepEqual([await found('app.acme.example'), tenant?.baseUrl], ['acme', 'https://app.acme.example'])
  })

  it('serves through addresses that are the platform’s or the target’s, and through no others', async () => {
    world.zone.set('A tenants.stoa.example', ['198.51.100.1'])
    const addresses = {
      'ours.example': ['203.0.113.7'],
      'target.example': ['198.51.100.1'],
      'mixed.example': ['203.0.113.7', '192.0.2.1'],
    }
    const serving = []
    for (const [domain, records] of Object.entries(addresses)) {
      const bound = await world.bind(acme, domain)
      world.zone.set(`A ${domain}`, records)
      world.zone.set(`AAAA ${domain}`, domain === 'ours.example' ? ['2001:0db8:0:0:0:0:0:7'] : [])
      const { body } = await world.verify(acme, bound.body['data']?.['id'])
      serving.push([body['data']?.['serving'], body['data']?.['status']])
    }
    assert.deepEqual(serving, [
      [true, 'pending'],
      [true, 'pending'],
      [false, 'pending'],
    ])
  })

  it('is looked up once a minute, also when many ask at once, and by the tenant’s wish once more', async () => {
    const bound = await world.bind(acme, 'busy.acme.example')
    const count = () =>
      world.dns.questions.filter((question) => question === 'TXT _tenant-verify.busy.acme.example').length
    await Promise.all(Array.from({ length: 5 }, () => world.ask(acme, 'busy.acme.example')))
    const seen = count()
    for (let round = 0; round < 3; round++) await world.verify(acme, bound.body['data']?.['id'])
    const demanded = count()
    await world.age('busy.acme.example', 61_000)
    await world.ask(acme, 'busy.acme.example')
    assert.deepEqual([seen, demanded, count()], [1, 2, 3])
  })

  it('stays as it is while no name server answers, and nobody waits longer than three seconds', async () => {
    const bound = await world.bind(acme, 'silent.acme.example')
    for (const type of ['TXT _tenant-verify.', 'A ', 'AAAA ', 'CNAME '])
      world.zone.set(`${type}silent.acme.example`, undefined)
    const started = performance.now()
    const { status, body } = await world.verify(acme, bound.body['data']?.['id'])
    const took = performance.now() - started
    const unanswered = { ok: false, found: [], error: 'no_answer' }
    assert.deepEqual(
      [status, body['data']?.['status'], body['data']?.['checks']],
      [200, 'pending', { txt: unanswered, cname: unanswered, a: unanswered }],
    )
    assert.ok(took < 4500, `${took} ms`)
  })

  it('is one that anybody may have: no address, public suffix, reserved or own name of the platform', async () => {
    const accepted = []
    for (const domain of invalidDomains) {
      const { body } = await world.platform.admin.put(`/admin/tenants/${beta.id}`, { domains: [domain] })
      if (![4228, 4220, 4001].includes(body['code'] as unknown as number)) accepted.push(domain)
    }
    assert.deepEqual(accepted, [])
    const ask = await world.ask(beta, 'co.uk')
    const bind = await world.bind(beta, 'x.localhost')
    assert.deepEqual(codesOf([ask, bind]), [
      [422, 4228],
      [422, 4228],
    ])
    const idn = await world.bind(beta, 'Bücher.example')
    assert.deepEqual([idn.status, idn.body['data']?.['domain']], [201, 'xn--bcher-kva.example'])
  })

  it('is chosen as the primary one only when verified, and can be unbound', async () => {
    const waiting = await world.bind(beta, 'waiting.beta.example')
    const id = waiting.body['data']?.['id']
    const twice = await world.bind(beta, 'waiting.beta.example')
    const refused = await beta.owner.put(`/tenant/domains/${textOf(id)}/primary`)
    await world.platform.admin.put(`/admin/tenants/${beta.id}`, { domains: ['one.beta.example', 'two.beta.example'] })
    const listed = await world.list(beta)
    const two = listed.find(({ domain }) => textOf(domain) === 'two.beta.example')
    const chosen = await beta.owner.put(`/tenant/domains/${textOf(two?.['id'])}/primary`)
    const after = (await world.list(beta)).map(({ domain, is_primary: isPrimary, status, trusted }) => [
      domain,
      isPrimary,
      status,
      trusted,
    ])
    const gone = await beta.owner.delete(`/tenant/domains/${textOf(two?.['id'])}`)
    const again = await beta.owner.delete(`/tenant/domains/${textOf(two?.['id'])}`)
    assert.deepEqual(codesOf([waiting, twice, refused, chosen, gone, again]), [
      [201, 0],
      [409, 4091],
      [409, 4094],
      [200, 0],
      [200, 0],
      [404, 4040],
    ])
    assert.deepEqual(after, [
      ['one.beta.example', false, 'verified', true],
      ['two.beta.example', true, 'verified', true],
    ])
    assert.deepEqual([await found('one.beta.example'), await found('two.beta.example')], ['beta', 4041])
  })

  it('is its tenant’s alone, and the business of whoever may', async () => {
    const bound = await world.bind(acme, 'alone.acme.example')
    const path = `/tenant/domains/${textOf(bound.body['data']?.['id'])}`
    const reader = await world.platform.createUser(acme, 'reader@acme.test', ['tenant_user'])
    const answers = [
      await beta.owner.post(`${path}/verify`),
      await beta.owner.put(`${path}/primary`),
      await beta.owner.delete(path),
      await reader.api.get('/tenant/domains'),
      await reader.api.post('/tenant/domains', { domain: 'x.acme.example' }),
      await reader.api.post(`${path}/verify`),
      await reader.api.delete(path),
      await world.platform.admin.get('/tenant/domains'),
    ]
    assert.deepEqual(codesOf(answers), [
      [404, 4040],
      [404, 4040],
      [404, 4040],
      [403, 4031],
      [403, 4031],
      [403, 4031],
      [403, 4031],
      [403, 4033],
    ])
  })

  it('is asked about twenty times a minute, by a tenant’s host', async () => {
    const elsewhere = await world.platform.test.api.get('/api/public/tenant/domain-verification?domain=a.example')
    let last = await world.ask(acme, 'app.acme.example')
    for (let count = 0; count < 20 && last.status === 200; count++) last = await world.ask(acme, 'app.acme.example')
    assert.deepEqual(codesOf([elsewhere, last]), [
      [404, 4041],
      [429, 4290],
    ])
    assert.ok(Number(last.headers['retry-after']) > 0)
  })
})
