// @both-back-ends
import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { SocketClient } from '../../support/socket-client.ts'
import { until } from '../../support/until.ts'
import { pluginsWith } from './world.ts'

const api = '/tenant/plugins/acme.teller/api'

/** Tells the user it is asked to tell, and remembers what it heard itself. */
function packTeller(): Promise<Buffer> {
  const capabilities = ['events', 'ui']
  const page = { slot: 'page', entry: 'ui/page.html' }
  const manifest = {
    ...{ capabilities, reasons: Object.fromEntries(capabilities.map((name) => [name, 'For a test.'])) },
    events: { publish: ['acme.teller.said'], subscribe: ['acme.teller.said'] },
    tenant_routes: [
      { method: 'POST', path: '/tell', handler: 'tell' },
      { method: 'POST', path: '/publish', handler: 'publish' },
      { method: 'GET', path: '/heard', handler: 'heard' },
    ],
    slots: [{ ...page, id: 'book', permission: 'read' }],
    permissions: [{ code: 'read', title: { default: 'Read' } }],
  }
  const definition = `{
    handlers: {
      async tell({ body }, { events }) { await events.tell('acme.teller.said', body.text, { user: body.user }); return {} },
      async publish({ body }, { events }) { await events.publish('acme.teller.said', body.text); return {} },
      async heard(request, { cache }) { return { heard: await cache.get('heard') } },
    },
    events: { async 'acme.teller.said'({ payload }, { cache }) { await cache.set('heard', payload) } },
  }`
  return packSmall('acme.teller', manifest, definition, { 'ui/page.html': '<!doctype html><title>Teller</title>' })
}

describe('what a plugin tells one user', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let other: TestTenant
  let ann: { readonly id: number; readonly api: Api }
  let users: Readonly<Record<'ann' | 'eve' | 'other' | 'nobody', number>>
  const clients = new Map<string, SocketClient>()

  before(async () => {
    platform = await startTestPlatform({ plugins: pluginsWith() })
    acme = await platform.createTenant('acme')
    other = await platform.createTenant('other')
    ann = await platform.createUser(acme, 'ann@acme.test', ['tenant_admin'])
    const bob = await platform.createUser(acme, 'bob@acme.test', ['tenant_admin'])
    const eve = await platform.createUser(acme, 'eve@acme.test', ['tenant_user'])
    await installAndEnable(platform.admin, await packTeller())
    for (const { id, owner } of [acme, other]) {
      dataOf(await platform.admin.post('/admin/plugins/acme.teller/tenants', { tenant_ids: [id] }))
      dataOf(await owner.post('/tenant/plugins/acme.teller/enable'))
    }
    const listeners: readonly (readonly [name: string, by: Api, path: string])[] = [
      ['ann', ann.api, '/ws/tenant'],
      ['ann again', ann.api, '/ws/tenant'],
      ['ann as user', ann.api, '/ws/user'],
      ['bob', bob.api, '/ws/tenant'],
      ['eve', eve.api, '/ws/tenant'],
      ['owner', acme.owner, '/ws/tenant'],
      ['other', other.owner, '/ws/tenant'],
      ['admin', platform.admin, '/ws/admin'],
    ]
    for (const [name, by, path] of listeners) clients.set(name, await SocketClient.ready(by, path))
    users = { ann: ann.id, eve: eve.id, other: other.ownerId, nobody: 2_000_000_000 }
  })
  after(async () => {
    for (const client of clients.values()) client[Symbol.dispose]()
    await platform[Symbol.asyncDispose]()
  })
  const hears = (who: string, text: string): boolean =>
    clients.get(who)?.frames.some(({ data }) => data === (text as never)) ?? false
  const say = async (user: number, text: string): Promise<unknown> =>
    assert.deepEqual(dataOf(await acme.owner.post(`${api}/tell`, { user, text })), {})

  /** Who heard a text that was told before; the log has one order, so that with a later one everything before has come. */
  async function heard(text: string): Promise<readonly string[]> {
    const later = `after ${text}`
    await say(users.ann, later)
    await until(() => hears('ann', later))
    await Promise.all([...clients.values()].map((client) => client.pong()))
    return [...clients.keys()].filter((who) => hears(who, text))
  }

  async function tell(user: number, text: string): Promise<readonly string[]> {
    await say(user, text)
    return heard(text)
  }

  it('comes to every page that this user has open, and to nobody else of the tenant or of another', async () => {
    assert.deepEqual(await tell(users.ann, 'for Ann'), ['ann', 'ann again'])
  })

  it('comes to nobody who may open no page of it', async () => {
    assert.deepEqual(await tell(users.eve, 'for Eve'), [])
  })

  it('leads nowhere for a user of another tenant, as for one who does not exist', async () => {
    assert.deepEqual([await tell(users.other, 'abroad'), await tell(users.nobody, 'nobody')], [[], []])
  })

  it('is heard by no plugin, while what is published is', async () => {
    dataOf(await acme.owner.post(`${api}/publish`, { text: 'for all' }))
    const heardItself = async (): Promise<unknown> => dataOf(await acme.owner.get(`${api}/heard`))['heard']
    await until(async () => (await heardItself()) !== null && hears('ann', 'for all'))
    assert.deepEqual([await heardItself(), await heard('for all')], ['for all', ['ann', 'ann again', 'bob', 'owner']])
  })

  it('comes again to whoever was away for a moment', async () => {
    const last = await clients.get('ann')?.next('event')
    await tell(users.ann, 'while away')
    const back = await SocketClient.ready(ann.api, `/ws/tenant?last_id=${String(last?.id)}`)
    await back.next('resumed')
    assert.ok(back.frames.some(({ data }) => data === ('while away' as never)))
    back[Symbol.dispose]()
  })
})
