import assert from 'node:assert/strict'
import { smtpAllowance, startSmtpServer, type SmtpServer } from '../../support/smtp-server.ts'
import type { TestTenant } from '../../support/identity.ts'
import { until } from '../../support/until.ts'
import { startDomainWorld, type DomainWorld } from './domains-world.ts'

const day = 24 * 60 * 60_000

describe('the loss of a domain', () => {
  const stack = new AsyncDisposableStack()
  let world: DomainWorld
  let smtp: SmtpServer
  let acme: TestTenant
  before(async () => {
    smtp = stack.use(await startSmtpServer())
    world = stack.use(await startDomainWorld({ env: { EGRESS_ALLOW_PRIVATE: smtpAllowance } }))
    await world.platform.admin.put('/admin/configs/groups/platform_mail', smtp.settings)
    acme = await world.platform.createTenant('acme')
    await world.platform.createUser(acme, 'somebody@acme.test', ['tenant_user'])
  })
  after(() => stack.disposeAsync())

  const verified = async (tenant: TestTenant, domain: string): Promise<void> => {
    await world.prove(tenant, domain)
    const { body } = await world.bind(tenant, domain)
    await world.verify(tenant, body['data']?.['id'])
  }

  it('is written to the tenant’s owner in the tenant’s language, at each of its three ends, and to nobody else', async () => {
    await verified(acme, 'gone.example')
    world.zone.set('TXT _tenant-verify.gone.example', [])
    for (let missed = 0; missed < 3; missed++) {
      await world.age('gone.example', day)
      await world.poll()
    }
    const failed = await smtp.mailTo('owner@acme.test')
    assert.equal(failed.headers.get('subject'), 'A domain of acme is not verified any more')
    assert.match(failed.text, /gone\.example/)
    await world.age('gone.example', 14 * day)
    await acme.owner.put('/tenant/configs/groups/tenant_basic', { locale: 'zh-CN' })
    await world.poll()
    const beta = await world.platform.createTenant('beta')
    await verified(acme, 'ours.example')
    await verified(beta, 'ours.example')
    const subjects = (): readonly unknown[] => smtp.mails.map(({ to, headers }) => [to[0], headers.get('subject')])
    await until(() => smtp.mails.length >= 3)
    assert.deepEqual(subjects(), [
      ['owner@acme.test', 'A domain of acme is not verified any more'],
      ['owner@acme.test', 'acme 的域名已解除绑定'],
      ['owner@acme.test', 'acme 的域名已被其他租户验证'],
    ])
  })
})
