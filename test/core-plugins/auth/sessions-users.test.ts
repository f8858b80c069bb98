// @both-back-ends
import assert from 'node:assert/strict'
import type { Answer, Api, Body } from '../../support/api.ts'
import { codeOf, issueSession } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'

const idsOf = ({ body }: Answer): unknown[] => {
  return (body['data']?.['items'] as unknown as Body[]).map((item) => item['id']).sort()
}

describe('the sessions of others', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  const pathOf = (userId: number, more = '') => `/tenant/users/${userId}/sessions${more}`
  const me = async (token: string) => codeOf(await platform.test.api.as(token).get('/auth/me'))

  it('are listed, ended one by one and all at once, at once, and the log tells', async () => {
    const { id, api } = await platform.createUser(acme, 'ann@acme.test', ['tenant_user'])
    const [one, two] = [await issueSession(platform, acme.id, id), await issueSession(platform, acme.id, id)]
    const listed = await acme.owner.get(pathOf(id))
    const ended = await acme.owner.delete(pathOf(id, `/${one.id}`))
    const again = await acme.owner.delete(pathOf(id, `/${one.id}`))
    const after = [await me(one.access), await me(two.access)]
    const all = await acme.owner.delete(pathOf(id))
    after.push(await me(two.access), codeOf(await api.get('/auth/me')))
    const log = await acme.owner.get(`/tenant/audit-logs?action=tenant_user.sessions_ended&target=user:${id}`)
    const notes = (log.body['data']?.['items'] as unknown as Body[]).map((item) => item['after'])
    assert.deepEqual(
      [
        idsOf(listed).length,
        idsOf(listed).includes(one.id),
        ended.body['data'],
        codeOf(again),
        after,
        all.body['data'],
        notes,
      ],
      [
        3,
        true,
        { deleted: true },
        [404, 4040],
        [
          [401, 4014],
          [200, 0],
          [401, 4014],
          [401, 4014],
        ],
        { revoked: 2 },
        [{ sessions: 2 }, { session_id: one.id }],
      ],
    )
  })

  it('tell why they ended', async () => {
    const { id, api } = await platform.createUser(acme, 'told@acme.test', ['tenant_user'])
    await acme.owner.delete(pathOf(id))
    assert.deepEqual((await api.get('/auth/me')).body['details'], { cause: 'admin' })
  })

  it('are another tenant’s, another user’s or nobody’s to nobody', async () => {
    const other = await platform.createTenant('other')
    const { id } = await platform.createUser(acme, 'mine@acme.test', ['tenant_user'])
    const foreign = await issueSession(platform, other.id, other.ownerId)
    const own = await issueSession(platform, acme.id, acme.ownerId)
    const answers = [
      await acme.owner.get(pathOf(other.ownerId)),
      await acme.owner.delete(pathOf(other.ownerId)),
      await acme.owner.delete(pathOf(other.ownerId, `/${foreign.id}`)),
      await acme.owner.delete(pathOf(id, `/${foreign.id}`)),
      await acme.owner.delete(pathOf(id, `/${own.id}`)),
      await acme.owner.get(pathOf(999_999)),
      await acme.owner.get(pathOf(platform.adminId)),
    ]
    assert.deepEqual(answers.map(codeOf), Array(7).fill([404, 4040]))
    assert.deepEqual([await me(foreign.access), await me(own.access)], Array(2).fill([200, 0]))
  })

  it('are seen and ended within the caller’s scope and below the caller alone', async () => {
    const org = async (name: string): Promise<number> =>
      Number((await acme.owner.post('/tenant/orgs', { name })).body['data']?.['id'])
    const [north, south] = [await org('North'), await org('South')]
    const permissions = ['tenant_user:sessions', 'tenant_user:list', 'user_profile:read']
    const role = { code: 'watcher', name: 'Watcher', permissions, data_scope: 'ORG_AND_CHILDREN' }
    assert.equal((await acme.owner.post('/tenant/roles', role)).status, 201)
    const make = async (name: string, roles: string[], node: number): Promise<{ id: number; api: Api }> => {
      const user = await platform.createUser(acme, `${name}@acme.test`, roles)
      const joined = await acme.owner.put(`/tenant/orgs/${node}/members`, { user_ids: [user.id] })
      assert.equal(joined.status, 200, JSON.stringify(joined.body))
      return user
    }
    const watcher = await make('watcher', ['watcher'], north)
    const near = await make('near', ['watcher'], north)
    const above = await make('above', ['tenant_admin'], north)
    const far = await make('far', ['watcher'], south)
    const api = await platform.signIn(acme.id, watcher.id)
    const answers = [
      await api.get(pathOf(near.id)),
      await api.get(pathOf(far.id)),
      await api.delete(pathOf(far.id)),
      await api.get(pathOf(above.id)),
      await api.delete(pathOf(above.id)),
      await api.delete(pathOf(near.id)),
      await near.api.get(pathOf(watcher.id)),
    ]
    assert.deepEqual(answers.map(codeOf), [
      [200, 0],
      [404, 4040],
      [404, 4040],
      [200, 0],
      [403, 4031],
      [200, 0],
      [401, 4014],
    ])
  })

  it('of the platform’s staff are for the platform’s staff', async () => {
    const staff = { email: 'staff@stoa.test', password: testPassword, roles: ['platform_auditor'] }
    const id = Number((await platform.admin.post('/admin/users', staff)).body['data']?.['id'])
    const session = await issueSession(platform, 0, id)
    const auditor = platform.test.api.as(session.access)
    const path = `/admin/users/${id}/sessions`
    const answers = [
      await auditor.delete(`/admin/users/${platform.adminId}/sessions`),
      await acme.owner.get(path),
      await platform.admin.get(path),
      await platform.admin.delete(`${path}/${session.id}`),
      await auditor.get('/auth/me'),
    ]
    assert.deepEqual(answers.map(codeOf), [
      [403, 4031],
      [403, 4033],
      [200, 0],
      [200, 0],
      [401, 4014],
    ])
  })
})
