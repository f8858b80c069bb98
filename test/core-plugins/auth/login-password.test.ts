import assert from 'node:assert/strict'
import { userDirectory } from '../../../core-plugins/users/contract.ts'
import { codeOf } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'

describe('the own password', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  it('is changed by who knows the old one; every other session ends and a new one begins', async () => {
    const user = await platform.createUser(acme, 'ann@acme.test', ['tenant_user'])
    const elsewhere = await platform.signIn(acme.id, user.id)
    const fresh = 'another long passphrase'
    const change = (old_password: string, new_password: string) =>
      user.api.put('/auth/password', { old_password, new_password })
    const refused = [
      await change('wrong', fresh),
      await change(testPassword, testPassword),
      await change(testPassword, '12345678'),
    ]
    const changed = await change(testPassword, fresh)
    const after = await elsewhere.get('/auth/me')
    const now = await platform.test.api.as(changed.body['data']?.['access_token']).get('/auth/me')
    const login = (password: string) =>
      platform.test.api.post('/tenant/auth/login', { email: 'ann@acme.test', password, tenant_code: 'acme' })
    assert.deepEqual(refused.map(codeOf), [
      [400, 4007],
      [400, 4007],
      [422, 4223],
    ])
    assert.deepEqual(
      [
        codeOf(changed),
        codeOf(after),
        after.body['details'],
        codeOf(now),
        codeOf(await login(testPassword)),
        codeOf(await login(fresh)),
      ],
      [[200, 0], [401, 4014], { cause: 'password_changed' }, [200, 0], [401, 4011], [200, 0]],
    )
  })

  it('begins no session when it was changed while it was compared', async () => {
    const user = await platform.createUser(acme, 'bob@acme.test', ['tenant_user'])
    const users = platform.test.kernel.services.get(userDirectory)
    const identify = users.identify.bind(users)
    const slowly = async (...given: Parameters<typeof identify>) => {
      const candidate = await identify(...given)
      const fits = async (password: string) => {
        const compared = await candidate.fits(password)
        await users.setPassword(acme.id, user.id, 'a passphrase of another kind')
        return compared
      }
      return { ...candidate, fits }
    }
    Object.assign(users, { identify: slowly })
    const credentials = { email: 'bob@acme.test', password: testPassword, tenant_code: 'acme' }
    const answer = await platform.test.api.post('/tenant/auth/login', credentials)
    Object.assign(users, { identify })
    assert.deepEqual(codeOf(answer), [401, 4011])
  })

  it('is not tried without end by who has an access token', async () => {
    const { api } = await platform.createUser(acme, 'eve@acme.test', ['tenant_user'])
    const codes: unknown[] = []
    for (const old_password of [...Array(5).keys()].map((at) => `wrong ${at}`).concat(testPassword)) {
      const answer = await api.put('/auth/password', { old_password, new_password: 'another long passphrase' })
      codes.push(answer.body['code'])
    }
    assert.deepEqual(codes, [4007, 4007, 4007, 4007, 4007, 4292])
  })

  it('is reset on the tenant’s path the same way', async () => {
    const body = { old_password: testPassword, new_password: 'yet another passphrase' }
    const changed = await acme.owner.post('/tenant/auth/password/reset', body)
    assert.deepEqual([changed.status, (await acme.owner.get('/tenant/auth/me')).status], [200, 401])
  })
})
