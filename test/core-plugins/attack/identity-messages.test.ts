import assert from 'node:assert/strict'
import { testPassword } from '../../support/identity.ts'
import { startCodesWorld, type CodesWorld } from '../auth/codes-world.ts'

describe('an attacker who has our messages carry words', () => {
  let world: CodesWorld
  before(async () => (world = await startCodesWorld()))
  after(() => world[Symbol.asyncDispose]())

  it('puts no link into a notice by the name of a device', async () => {
    const { email } = await world.user()
    const login = (device_name: string, ip: string) =>
      world.post('/auth/login/json', { email, password: testPassword, tenant_code: 'acme', device_name }, ip)
    await login('Laptop', '198.51.100.1')
    await login('Not you? https://evil.example/login', '198.51.100.2')
    const { text } = await world.message(email, 'new_device')
    assert.match(text, /198\.51\.100\.2/)
    assert.doesNotMatch(text, /evil/)
  })

  it('puts no link into an invitation by the own name', async () => {
    const named = await world.acme.owner.patch('/auth/profile', { nickname: 'Claim it at evil.example' })
    assert.equal(named.status, 200)
    const invite = await world.acme.owner.post('/tenant/users/invites', { email: 'guest@acme.test' })
    assert.equal(invite.status, 201)
    const { text } = await world.message('guest@acme.test', 'invitation')
    assert.match(text, /invite_code=/)
    assert.doesNotMatch(text, /evil/)
  })
})
