import assert from 'node:assert/strict'
import { setup } from '../../../core-plugins/auth/contract.ts'
import type { Answer, Body } from '../../support/api.ts'
import { identityPlugins, testPassword } from '../../support/identity.ts'
import { startTestKernel } from '../../support/kernel.ts'
import { parameterIn, startUsersWorld, type UsersWorld } from './world.ts'

const names = { account: 'lighthouse-keeper', email: 'ann.keeper@acme.test', phone: '+49 170 5550123' }
const taken = [
  ...['lighthouse-keeper', 'Lighthouse.Keeper!', 'ann.keeper@acme.test', 'ANN.KEEPER@ACME.TEST', 'annkeeper'],
  ...['ann.keeper1', '+49 170 5550123', '+491705550123', '01705550123', '1705550123'],
]

describe('an account’s own address, account name and number', () => {
  let world: UsersWorld
  before(async () => {
    world = await startUsersWorld()
    await world.signIn({ allow_registration: true })
  })
  after(() => world[Symbol.asyncDispose]())

  const similar = { status: 422, code: 4223, rules: ['similarity'] }
  const told = ({ status, body }: Answer) => {
    const errors = (body['errors'] ?? []) as unknown as readonly { rule: string }[]
    return { status, code: body['code'], rules: errors.map(({ rule }) => rule).filter((rule) => rule !== 'blocklist') }
  }
  async function refused(passwords: readonly string[], attempt: (password: string) => Promise<Answer>): Promise<void> {
    for (const password of passwords) assert.deepEqual(told(await attempt(password)), similar, password)
  }

  it('are no password of a user whom an administrator makes, resets or who changes it', async () => {
    const { owner } = world.acme
    await refused(taken, (password) => owner.post('/tenant/users', { ...names, roles: [], password }))
    const made = await owner.post('/tenant/users', { ...names, roles: [], password: testPassword })
    const id = Number(made.body['data']?.['id'])
    await refused(taken, (password) => owner.post(`/tenant/users/${id}/reset-password`, { password }))
    const signedIn = await world.login(names.account)
    const ann = world.platform.test.api.as(signedIn.body['data']?.['access_token'])
    await refused(taken, (password) =>
      ann.put('/auth/password', { old_password: testPassword, new_password: password }),
    )
  })

  it('are no password of somebody who registers, or comes back through a link', async () => {
    const email = 'newcomer.ben@acme.test'
    const own = [email, 'newcomer.ben', 'newcomerben1']
    await refused([...own, '01705550999'], (password) => world.register(email, { phone: '+491705550999', password }))
    assert.equal((await world.join(email)).status, 200)
    const { api } = world.platform.test
    await api.post('/auth/forgot-password', { email, tenant_code: 'acme' })
    const token = parameterIn(await world.message(email, 'reset_link'), 'token')
    await refused(own, (password) => api.post('/auth/reset-password', { token, new_password: password }))
  })

  it('are no password in an address whose host has letters of any script', async () => {
    const email = 'keeper@bücher-und-mehr.example'
    await refused([email, 'keeper@xn--bcher-und-mehr-gsb.example'], (password) =>
      world.acme.owner.post('/tenant/users', { email, roles: [], password }),
    )
  })

  it('are no password of a tenant’s owner or of the platform’s staff', async () => {
    const { admin } = world.platform
    const email = 'harbour.master@stoa.test'
    const own = [email, 'harbour.master']
    await refused(own, (password) =>
      admin.post('/admin/tenants', { code: 'harbour', name: 'Port', owner: { email, password } }),
    )
    await refused(own, (password) => admin.post('/admin/users', { email, roles: [], password }))
  })

  it('are no password of the first administrator', async () => {
    await using test = await startTestKernel({ plugins: identityPlugins })
    const { token } = await test.kernel.services.get(setup).createSetupLink()
    const first: Body[] = []
    for (const password of ['very.first@stoa.test', 'very.first.1']) {
      const body = { token, email: 'very.first@stoa.test', password }
      first.push(told(await test.api.post('/api/public/setup', body)) as unknown as Body)
    }
    assert.deepEqual(first, [similar, similar])
  })
})
