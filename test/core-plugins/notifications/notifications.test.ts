import assert from 'node:assert/strict'
import {
  notificationsCreated,
  notificationsRead,
  notifier,
  type NewNotification,
} from '../../../core-plugins/notifications/contract.ts'
import notifications from '../../../core-plugins/notifications/index.ts'
import { up } from '../../../core-plugins/notifications/migrations/0004_channels.ts'
import { NotificationService } from '../../../core-plugins/notifications/service.ts'
import { definePlugin, type Plugin } from '#kernel'
import type { Body } from '../../support/api.ts'
import { runningKernel } from '../../support/auth.ts'
import { identityPlugins, startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { assertLeavesNothing } from '../../support/kernel.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { described } from '../../support/probe.ts'
import { until } from '../../support/until.ts'

const heard: unknown[] = []
const listener: Plugin = definePlugin({
  ...described('listener'),
  setup(scope) {
    scope.on(notificationsCreated, ({ userId, title }) => void heard.push(['created', userId, title]))
    scope.on(notificationsRead, ({ userId, id }) => void heard.push(['read', userId, id]))
  },
})
const gone = { status: 404, code: 4040, reason: 'notification_not_found' }

describe('notifications', () => {
  let platform: TestPlatform
  let one: TestTenant
  let two: TestTenant
  before(async () => {
    platform = await startTestPlatform({ plugins: [...identityPlugins, notifications, listener] })
    one = await platform.createTenant('one')
    two = await platform.createTenant('two')
  })
  after(() => platform[Symbol.asyncDispose]())
  beforeEach(async () => {
    heard.length = 0
    await rows().delete()
  })

  const rows = () => runningKernel(platform).database.knex('user_notifications').queryContext({ tenant: 'all' })
  const send = (title: string, more: Partial<NewNotification> = {}): Promise<string> => {
    const to = { tenantId: one.id, userId: one.ownerId }
    return platform.test.kernel.services.get(notifier).send({ ...to, title, source: 'system', ...more })
  }
  const list = async (query = '', by = one.owner): Promise<Body> => dataOf(await by.get(`/notifications${query}`))
  const titles = ({ items }: Body): unknown => (items as unknown as Body[]).map(({ title }) => title)

  it('that were there before there were kinds are of the kind of their source', async () => {
    await send('old', { source: 'mail' })
    const { knex } = runningKernel(platform).database
    await knex.schema.alterTable('user_notifications', (table) => {
      table.dropIndex([], 'user_notifications_digest')
      table.dropColumns('kind', 'shown', 'mail')
    })
    await up(knex)
    assert.deepEqual(await rows().select('kind', 'shown', 'mail'), [{ kind: 'mail', shown: true, mail: 'none' }])
  })

  it('are listed newest first, in pages, with how many are unread', async () => {
    for (const title of ['a', 'b', 'c']) {
      await send(title)
      await rows().update({ id: nextId() }).where({ title })
    }
    const first = await list('?page_size=2')
    const page = { ...first, items: undefined }
    assert.deepEqual(
      [titles(first), page],
      [['c', 'b'], { items: undefined, total: 3, page: 1, page_size: 2, pages: 2, unread: 3 }],
    )
    assert.deepEqual(titles(await list('?page_size=2&page=2')), ['a'])
    assert.deepEqual(titles(await list('?sort=created_at')), ['a', 'b', 'c'])
  })

  it('are read one by one or all at once, and told to whoever listens', async () => {
    const id = await send('a')
    await send('b')
    await send('c')
    assert.deepEqual(dataOf(await one.owner.post(`/notifications/${id}/read`)), { read: 1, unread: 2 })
    assert.deepEqual(dataOf(await one.owner.post(`/notifications/${id}/read`)), { read: 0, unread: 2 })
    assert.deepEqual(titles(await list('?unread=false')), ['a'])
    assert.equal((await list('?unread=true'))['total'], 2)
    assert.deepEqual(dataOf(await one.owner.post('/notifications/read-all')), { read: 2, unread: 0 })
    const user = one.ownerId
    assert.deepEqual(heard, [
      ...['a', 'b', 'c'].map((title) => ['created', user, title]),
      ...[
        ['read', user, id],
        ['read', user, null],
      ],
    ])
  })

  it('are deleted by their owner, and there for nobody else', async () => {
    const id = await send('a')
    const colleague = await platform.createUser(one, 'colleague@one.test', ['tenant_owner'])
    for (const by of [two.owner, colleague.api, platform.admin]) {
      assert.deepEqual(refusalOf(await by.delete(`/notifications/${id}`)), gone)
      assert.deepEqual(refusalOf(await by.post(`/notifications/${id}/read`)), gone)
      assert.equal((await list('', by))['total'], 0)
    }
    assert.deepEqual(dataOf(await one.owner.delete(`/notifications/${id}`)), { deleted: true })
    assert.deepEqual(refusalOf(await one.owner.delete(`/notifications/${id}`)), gone)
    const known = await send('read before')
    dataOf(await one.owner.post(`/notifications/${known}/read`))
    dataOf(await one.owner.delete(`/notifications/${known}`))
    const reads = heard.filter((one) => (one as readonly unknown[])[0] === 'read')
    assert.deepEqual(
      reads,
      [id, known].map((each) => ['read', one.ownerId, each]),
    )
    assert.equal((await one.owner.delete('/notifications/none')).status, 422)
    assert.equal((await platform.test.api.get('/notifications')).status, 401)
  })

  it('are told to each reader in the own language, and what was only text stays as it is', async () => {
    const title = { words: 'Links in messages lead elsewhere now', reason: 'notice.delivery_link' }
    await send('Plain')
    const english = 'Links to reset passwords take the new way from now on. Changed by: Kim'
    const body = { words: english, reason: 'notice.delivery_by', values: { by: 'Kim' } }
    await platform.test.kernel.services
      .get(notifier)
      .send({ ...{ title, body, source: 'mail' }, tenantId: one.id, userId: one.ownerId })
    const read = async (language: string) => {
      const answer = await one.owner.get('/notifications', { headers: { 'accept-language': language } })
      return (dataOf(answer)['items'] as unknown as Body[]).map((item) => [item['title'], item['body']])
    }
    assert.deepEqual(
      [await read('en'), await read('zh-CN')],
      [
        [
          ['Links in messages lead elsewhere now', english],
          ['Plain', ''],
        ],
        [
          ['消息中的链接已指向新的域名', '重置密码的链接今后经由新的方式送达。更改人：Kim'],
          ['Plain', ''],
        ],
      ],
    )
  })

  it('need the permission in a tenant, and none of the platform’s staff', async () => {
    const permission = 'user_notification:read'
    dataOf(await one.owner.post('/tenant/roles', { code: 'none', name: 'None', permissions: [] }), 201)
    const { api } = await platform.createUser(one, 'nobody@one.test', ['none'])
    const refused = await api.get('/notifications')
    assert.deepEqual([refused.body['code'], refused.body['details']], [4031, { permission }])
    await send('For you', { tenantId: 0, userId: platform.adminId })
    assert.deepEqual(titles(await list('', platform.admin)), ['For you'])
  })

  it('go to users that there are, in plain text', async () => {
    const refused = async (title: string, more: Partial<NewNotification> = {}) =>
      send(title, more).then(
        () => 0,
        ({ code }: { code: number }) => code,
      )
    assert.deepEqual(
      [
        await refused('a', { tenantId: two.id }),
        await refused(''),
        await refused('a\nb'),
        await refused('x'.repeat(201)),
        await refused('a', { body: 'x'.repeat(2_001) }),
        await refused('a', { body: 'a\u0000b' }),
        await refused('😀'.repeat(200), { body: 'a\n\tb' }),
      ],
      [4040, 4220, 4220, 4220, 4220, 4220, 0],
    )
  })

  it('are a thousand of a user at most, the newest, and push out nobody else’s', async () => {
    await send('of somebody else', { tenantId: two.id, userId: two.ownerId })
    const { id: userId } = await platform.createUser(one, 'quiet@one.test', ['tenant_user'])
    await send('a warning', { userId })
    await rows().update({ id: '00000000-0000-7000-8000-000000000000' }).where({ user_id: userId })
    const { knex: db } = runningKernel(platform).database
    await db
      .raw(
        `insert into user_notifications (id, tenant_id, user_id, title, body, level, source, kind)
         select gen_random_uuid(), ?, ?, 'much', '', 'info', 'system', 'system' from generate_series(1, 1003)`,
        [one.id, one.ownerId],
      )
      .queryContext({ tenant: 'all' })
    await new NotificationService({ scope: { db } } as never).sweep()
    const left = (await rows().select('title').count('* as count').groupBy('title').orderBy('title')) as unknown
    assert.deepEqual(left, [
      { title: 'a warning', count: '1' },
      { title: 'much', count: '1000' },
      { title: 'of somebody else', count: '1' },
    ])
  })

  it('leave with their user and their tenant', async () => {
    const { id: userId } = await platform.createUser(one, 'leaver@one.test', ['tenant_user'])
    const three = await platform.createTenant('three')
    await send('a', { userId })
    await send('b', { tenantId: three.id, userId: three.ownerId })
    await send('stays')
    dataOf(await one.owner.delete(`/tenant/users/${userId}`))
    dataOf(await platform.admin.delete(`/admin/tenants/${three.id}`))
    // A tenant's rows leave after the answer.
    await until(async () => (await rows().pluck('title')).length === 1)
    assert.deepEqual(await rows().pluck('title'), ['stays'])
  })

  it('are disabled and enabled without leaving anything', async () => {
    await platform.test.kernel.disable('notifications')
    await assertLeavesNothing(platform.test.kernel, notifications)
    await platform.test.kernel.enable(notifications)
    assert.equal((await one.owner.get('/notifications')).status, 200)
  })
})

let count = 0
/** Ids of one millisecond are in no order. */
function nextId(): string {
  return `0199${String((count += 1)).padStart(4, '0')}-0000-7000-8000-000000000000`
}
