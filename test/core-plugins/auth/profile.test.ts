import assert from 'node:assert/strict'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'

describe('the own profile', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  const change = {
    nickname: 'Élodie 小红',
    avatar_url: 'https://pictures.example/elodie.png',
    locale: 'zh-CN',
    timezone: 'Asia/Shanghai',
  }

  it('is changed member by member, and what is absent stays', async () => {
    const { api } = await platform.createUser(acme, 'elodie@acme.test', ['tenant_user'])
    const first = await api.patch('/auth/profile', change)
    const second = await api.put('/auth/profile', { nickname: 'E', timezone: null })
    const me = await api.get('/auth/me')
    const shown = ({ nickname, avatar_url, locale, timezone }: Record<string, unknown>) => ({
      nickname,
      avatar_url,
      locale,
      timezone,
    })
    const expected = { ...change, nickname: 'E', timezone: null }
    assert.deepEqual(
      [first.body['data'], second.body['data'], me.body['data']?.['user']].map((user) => shown(user ?? {})),
      [change, expected, expected],
    )
  })

  it('is changed by the platform’s staff at their own path, whatever tenants may do', async () => {
    const changed = await platform.admin.patch('/admin/auth/profile', { nickname: 'Root' })
    const foreign = await acme.owner.patch('/admin/auth/profile', { nickname: 'Root' })
    assert.deepEqual([changed.body['data']?.['nickname'], foreign.status, foreign.body['code']], ['Root', 403, 4033])
  })

  it('takes nothing that is no name, address, language or time zone, and nothing else', async () => {
    const bodies = [
      {},
      { nickname: '  ' },
      { nickname: 'x'.repeat(65) },
      { avatar_url: 'javascript:alert(1)' },
      { avatar_url: '//elsewhere.example/a.png' },
      { locale: 'tlh' },
      { timezone: 'Mars/Olympus' },
      { email: 'new@acme.test' },
      { roles: ['tenant_owner'] },
      { status: 'active', nickname: 'x' },
    ]
    const answers = await Promise.all(bodies.map((body) => acme.owner.patch('/auth/profile', body)))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body['code']]),
      bodies.map(() => [422, 4220]),
    )
  })

  it('cannot be changed where the tenant has switched that off', async () => {
    const still = await platform.createTenant('still')
    await still.owner.put('/tenant/configs/groups/tenant_feature', { allow_profile_edit: false })
    const { status, body } = await still.owner.patch('/auth/profile', { nickname: 'Me' })
    assert.deepEqual([status, body['code']], [403, 4036])
  })

  it('is nobody’s who is not signed in', async () => {
    const { status, body } = await platform.test.api.patch('/auth/profile', { nickname: 'Me' })
    assert.deepEqual([status, body['code']], [401, 4010])
  })
})
