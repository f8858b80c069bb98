import assert from 'node:assert/strict'
import { notificationsAnnounced } from '../../../core-plugins/notifications/contract.ts'
import notifications from '../../../core-plugins/notifications/index.ts'
import type { Api, Body } from '../../support/api.ts'
import { runningKernel } from '../../support/auth.ts'
import { identityPlugins, startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'

const gone = { status: 404, code: 4040, reason: 'announcement_not_found' }

describe('announcements', () => {
  let platform: TestPlatform
  let one: TestTenant
  let two: TestTenant
  let user: Api
  before(async () => {
    platform = await startTestPlatform({ plugins: [...identityPlugins, notifications] })
    one = await platform.createTenant('one')
    two = await platform.createTenant('two')
    user = (await platform.createUser(one, 'user@one.test', ['tenant_user'])).api
  })
  after(() => platform[Symbol.asyncDispose]())

  const announce = async (by: Api, area: 'admin' | 'tenant', more: object): Promise<string> => {
    const body = { title: { default: 'News', 'zh-CN': '新闻' }, ...more }
    return dataOf(await by.post(`/${area}/announcements`, body), 201)['id'] as unknown as string
  }
  const shownTo = async (api: Api, language = 'en'): Promise<readonly Body[]> => {
    const answer = await api.get('/announcements', { headers: { 'accept-language': language } })
    return dataOf(answer)['items'] as unknown as readonly Body[]
  }
  const seenBy = (id: string): Promise<readonly boolean[]> =>
    Promise.all(
      [one.owner, user, two.owner, platform.admin].map(async (api) =>
        (await shownTo(api)).some((item) => item['id'] === (id as unknown)),
      ),
    )

  it('come to those for whom they are', async () => {
    assert.deepEqual(
      [
        await seenBy(await announce(platform.admin, 'admin', {})),
        await seenBy(await announce(platform.admin, 'admin', { audience: { tenants: [two.id] } })),
        await seenBy(await announce(platform.admin, 'admin', { audience: { tenants: [], staff: true } })),
        await seenBy(await announce(one.owner, 'tenant', {})),
        await seenBy(await announce(one.owner, 'tenant', { audience: { roles: ['tenant_owner'] } })),
      ],
      [
        [true, true, true, false],
        [false, false, true, false],
        [false, false, false, true],
        [true, true, false, false],
        [true, false, false, false],
      ],
    )
  })

  it('are told in the reader’s language, and acknowledged once', async () => {
    const id = await announce(one.owner, 'tenant', { body: { default: 'Read this' }, requires_acknowledgement: true })
    const [item] = await shownTo(user, 'zh-CN')
    const { starts_at: startsAt, ...rest } = item ?? {}
    assert.ok(!Number.isNaN(Date.parse(startsAt as unknown as string)))
    assert.deepEqual(rest, {
      ...{ id, title: '新闻', body: 'Read this', level: 'info', source: 'tenant', expires_at: null },
      ...{ requires_acknowledgement: true, acknowledged_at: null },
    })
    const first = dataOf(await user.post(`/announcements/${id}/acknowledge`))
    const again = dataOf(await user.post(`/announcements/${id}/acknowledge`))
    const { items } = dataOf(await one.owner.get('/tenant/announcements'))
    const listed = (items as unknown as readonly Body[]).find((each) => each['id'] === (id as unknown))
    assert.deepEqual(
      [
        again,
        (await shownTo(user))[0]?.['acknowledged_at'],
        (await shownTo(one.owner))[0]?.['acknowledged_at'],
        listed?.['acknowledged'],
      ],
      [first, first['acknowledged_at'], null, 1],
    )
    assert.deepEqual(refusalOf(await two.owner.post(`/announcements/${id}/acknowledge`)), gone)
  })

  it('begin and end at their times, and those who listen are told at the beginning', async () => {
    const told: string[] = []
    const listening = runningKernel(platform).events.on(notificationsAnnounced, ({ id }) => void told.push(id))
    const soon = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString()
    const now = await announce(one.owner, 'tenant', { expires_at: soon(3_600_000) })
    const soonToCome = await announce(one.owner, 'tenant', { starts_at: soon(1_500) })
    const later = await announce(one.owner, 'tenant', { starts_at: soon(3_600_000) })
    const ended = await announce(one.owner, 'tenant', { starts_at: soon(-5_000), expires_at: soon(-1_000) })
    const nobody = [false, false, false, false]
    assert.deepEqual(
      [await seenBy(now), await seenBy(later), await seenBy(ended)],
      [[true, true, false, false], nobody, nobody],
    )
    await until(() => told.includes(soonToCome), 60_000)
    listening[Symbol.dispose]()
    assert.deepEqual(
      [told.toSorted(), await seenBy(soonToCome)],
      [[now, soonToCome, ended].sort(), [true, true, false, false]],
    )
  })

  it('are taken back by those who made them, and nobody else', async () => {
    const id = await announce(one.owner, 'tenant', {})
    assert.deepEqual(refusalOf(await two.owner.delete(`/tenant/announcements/${id}`)), gone)
    assert.deepEqual(refusalOf(await platform.admin.delete(`/admin/announcements/${id}`)), gone)
    assert.deepEqual(
      [
        (await user.delete(`/tenant/announcements/${id}`)).status,
        (await user.post('/tenant/announcements', { title: { default: 'x' } })).status,
      ],
      [403, 403],
    )
    dataOf(await one.owner.delete(`/tenant/announcements/${id}`))
    assert.deepEqual(await seenBy(id), [false, false, false, false])
    const { items } = dataOf(await one.owner.get('/tenant/audit-logs?target=announcement:' + id))
    assert.deepEqual(
      (items as unknown as readonly Body[]).map(({ action }) => action),
      ['announcement.deleted', 'announcement.created'],
    )
  })

  it('are plain text, and end after they begin', async () => {
    const refused = async (body: object): Promise<unknown> =>
      refusalOf(await one.owner.post('/tenant/announcements', body))
    const title = { default: 'x' }
    assert.deepEqual(
      [
        await refused({ title: { default: 'a\u202eb' } }),
        await refused({ title, expires_at: '2020-01-01T00:00:00.000Z' }),
        await refused({ title: { en: 'x' } }),
        await refused({ title, audience: { tenants: 'all' } }),
      ],
      [
        { status: 422, code: 4220, reason: 'notification_invalid' },
        { status: 400, code: 4002, reason: 'announcement_times' },
        { status: 422, code: 4220, reason: 'validation_failed' },
        { status: 422, code: 4220, reason: 'validation_failed' },
      ],
    )
  })
})
