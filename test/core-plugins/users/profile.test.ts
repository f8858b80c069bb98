import assert from 'node:assert/strict'
import { configure } from '../../support/auth.ts'
import type { Api } from '../../support/api.ts'
import { outcome, startUsersWorld, type UsersWorld } from './world.ts'

const path = '/tenant/users/profile'

describe('the own profile', () => {
  let world: UsersWorld
  let ann: { readonly id: number; readonly api: Api }
  before(async () => {
    world = await startUsersWorld()
    ann = await world.platform.createUser(world.acme, 'ann@acme.test', ['tenant_user'])
  })
  after(() => world[Symbol.asyncDispose]())

  it('is changed by its owner, in any script', async () => {
    const change = { nickname: '安 👩‍💻 Ann', avatar_url: 'https://img.example/ann.png?size=2' }
    const answer = await ann.api.patch(path, change)
    const seen = await world.acme.owner.get(`/tenant/users/${ann.id}`)
    const { nickname, avatar_url: avatar } = seen.body['data'] as unknown as Record<string, unknown>
    assert.deepEqual([outcome(answer), { nickname, avatar_url: avatar }], ['200 0', change])
  })

  it('takes no other member and no dangerous value', async () => {
    const changes = [
      {},
      { status: 'active' },
      { roles: ['tenant_owner'] },
      { email: 'other@acme.test' },
      { tenant_id: 1 },
      { password_hash: 'x' },
      { nickname: 'n'.repeat(65) },
      { nickname: 'bell\u0007' },
      { nickname: null },
      ...[
        'javascript:alert(1)',
        '//evil.example/x',
        '/\\evil.example',
        'data:text/html,x',
        'https://',
        'ftp://x/y',
        ' /x',
      ].map((url) => ({ avatar_url: url })),
    ]
    const codes = await Promise.all(changes.map(async (change) => (await ann.api.patch(path, change)).body['code']))
    assert.deepEqual(codes, Array(changes.length).fill(4220))
  })

  it('is fixed where the tenant says so, and is nobody else’s', async () => {
    await configure(world.acme.owner, 'tenant', 'tenant_feature', { allow_profile_edit: false })
    const refused = await ann.api.patch(path, { nickname: 'Annie' })
    const byAdmin = await world.acme.owner.put(`/tenant/users/${ann.id}`, { nickname: 'By the administrator' })
    const platform = await world.platform.admin.patch(path, { nickname: 'Root' })
    assert.deepEqual([refused, byAdmin, platform].map(outcome), [
      '403 4036 profile_edit_disabled',
      '200 0',
      '403 4033 scope_mismatch',
    ])
  })

  it('has names and addresses in many scripts, each once', async () => {
    const create = (user: object) => world.acme.owner.post('/tenant/users', { roles: [], ...user })
    const answers = [
      await create({ email: 'jos\u00e9@b\u00fccher.example' }),
      await create({ email: 'JOSE\u0301@xn--bcher-kva.example' }),
      await create({ email: `${'l'.repeat(65)}@acme.test` }),
      await create({ email: `x@${'d'.repeat(250)}.test` }),
      await create({ email: 'a\u0001b@acme.test' }),
      await create({ email: 'tz@acme.test', nickname: 'x', id: 1 }),
      await world.acme.owner.put(`/tenant/users/${ann.id}`, { timezone: 'Mars/Olympus' }),
      await world.acme.owner.put(`/tenant/users/${ann.id}`, { timezone: 'Asia/Shanghai' }),
    ]
    assert.deepEqual(
      answers.map(({ body }) => body['code']),
      [0, 4091, 4220, 4220, 4220, 4220, 4220, 0],
    )
  })
})
