import { jobs } from '../../../core-plugins/jobs/contract.ts'
import { textOf } from '../../support/attachments.ts'
import { configure, runningKernel } from '../../support/auth.ts'
import type { Api } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { smtpError } from '../../support/smtp-server.ts'
import { until } from '../../support/until.ts'
import type { Cause, WireWorld } from './wire-world.ts'

const own = ['owner/tenant']
const staff = ['admin/admin']

/** What goes wrong, comes near its end or is proved by others: each brought about from outside, and told by the code that finds it out. */
export const accidents: readonly Cause[] = [
  ['domain.status', own, proveDomain],
  [
    'quota.threshold',
    [...own, ...staff],
    async (world) => {
      const quota = { name: 'few', tenant_id: world.acme.id, metric: 'requests', limit: '4', warn_at: [0.25] }
      dataOf(await world.platform.admin.post('/admin/ai/quotas', { ...quota, window: { kind: 'total' } }), 201)
      return world.chat()
    },
  ],
  ['ai.alert', staff, (world) => trip(world, world.platform.admin)],
  ['ai.alert', own, (world) => trip(world, world.acme.owner)],
  ['ai.alert', own, (world) => turnBreaker(world, 'reset', providers.get(world.acme.owner) ?? '')],
  ['ai.alert', staff, (world) => turnBreaker(world, 'reset', providers.get(world.platform.admin) ?? '')],
  ['alert.raised', staff, loseMail],
  ['usage.report_ready', staff, ({ platform: { admin } }) => askForReport(admin)],
  ['ai.report.ready', staff, ({ platform: { admin } }) => askForReport(admin)],
  ['ai.report.ready', own, ({ acme: { owner } }) => askForReport(owner)],
  ['plugin.quarantined', staff, ({ worn }) => worn],
  ['health.changed', staff, loseDatabase],
  [
    'session.revoked',
    ['user/user', 'user/tenant'],
    (world) => world.acme.owner.put(`/tenant/users/${world.userId}`, { status: 'disabled' }),
  ],
]

async function askForReport(by: Api): Promise<unknown> {
  const [from, to] = [-86_400_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString())
  return dataOf(await by.post('/admin/ai/usage/reports', { name: 'yesterday', type: 'summary', from, to }), 202)
}

/** Binds a domain, has the name server know its proof, and asks for a look. */
async function proveDomain({ platform, acme, zone }: WireWorld): Promise<unknown> {
  const domain = 'app.acme.example'
  const { id } = dataOf(await acme.owner.post('/tenant/domains', { domain }), 201)
  const hints = `/api/public/tenant/domain-verification?domain=${domain}`
  const { txt_name: name, txt_value: value } = dataOf(await platform.test.api.get(hints, { host: acme.host }))
  zone.set(`TXT ${textOf(name)}`, [textOf(value)])
  return acme.owner.post(`/tenant/domains/${textOf(id)}/verify`)
}

/** The provider of each whose breaker was tripped. */
const providers = new WeakMap<Api, string>()

/** Has a rule look at a provider that nobody asks any more. */
async function trip(world: WireWorld, by: Api): Promise<void> {
  const provider = await world.provide(by, 'tripped')
  providers.set(by, provider)
  const when = { metric: 'breaker_open', scope: { provider_id: provider } }
  dataOf(await by.post('/admin/ai/health/alerts', { name: 'it is open', when, notify: { ws: ['admin'] } }), 201)
  await turnBreaker(world, 'trip', provider)
}

/** Opens or closes the breaker of a provider, and has the rules look at once, as they do each minute. */
async function turnBreaker({ platform }: WireWorld, action: 'trip' | 'reset', provider: string): Promise<void> {
  const target = { provider_id: provider }
  dataOf(await platform.admin.post('/admin/ai/gateway/failover', { action, target, force: true }))
  const { knex } = runningKernel(platform).database
  const queue = platform.test.kernel.services.get(jobs)
  await knex.transaction((trx) => queue.enqueue(trx, 'ai.alerts', {}, { key: 'ai.alerts' }))
  await queue.settle('ai.alerts', 30_000)
}

/** Has a mail sent whose server wants nothing of its reader: its job is given up. */
async function loseMail({ platform, acme, smtp, userEmail }: WireWorld): Promise<void> {
  smtp.onRecipient = () => {
    throw smtpError(550, 'no such mailbox')
  }
  await configure(platform.admin, 'admin', 'platform_mail', { ...smtp.settings })
  dataOf(await platform.test.api.post('/auth/forgot-password', { email: userEmail }, { host: acme.host }))
}

/** Cuts the connections by which a host asks its database how it is, until that is told, and once more when all is well again. */
async function loseDatabase({ wire, clients }: WireWorld): Promise<void> {
  const told = (status: string): boolean =>
    clients.get('admin/admin')?.frames.some(({ event, data }) => {
      return event === 'health.changed' && data?.['status'] === status
    }) ?? false
  wire.follow((piece, from) => (from === 'client' && piece.includes('select 1') ? 'reset' : 'pass'))
  await until(() => told('unhealthy'), 30_000)
  wire.heal()
  await until(() => told('healthy'), 30_000)
}
