import assert from 'node:assert/strict'
import { codeOf } from '../../support/auth.ts'
import { startCodesWorld, type CodesWorld } from '../auth/codes-world.ts'

describe('an attacker who spells names in many ways', () => {
  let world: CodesWorld
  before(async () => {
    world = await startCodesWorld()
    await world.configure(world.platform.admin, 'tenant_captcha', { captcha_enabled: false })
  })
  after(() => world[Symbol.asyncDispose]())

  /** What five wrong tries under one spelling and one under another answer. */
  async function tries(spelling: string, other: string, ip: string): Promise<unknown[]> {
    const codes: unknown[] = []
    for (const account of [...Array<string>(5).fill(spelling), other]) {
      const body = { account, password: 'wrong password', tenant_code: 'acme' }
      codes.push((await world.post('/auth/login/json', body, ip)).body['code'])
    }
    return codes
  }

  it('does not learn from the lock which addresses and numbers there are', async () => {
    const { id } = await world.user()
    const taken = { email: 'known@acme.test', phone: '+15550001111' }
    assert.equal((await world.acme.owner.put(`/tenant/users/${id}`, taken)).status, 200)
    const locked = [...Array<number>(5).fill(4011), 4292]
    assert.deepEqual(
      [
        await tries('known@acme.test', 'KNOWN@ａcme.test', '203.0.113.1'),
        await tries('nobody@acme.test', 'NOBODY@ａcme.test', '203.0.113.2'),
        await tries('+15550001111', '001 (555) 000-1111', '203.0.113.3'),
        await tries('+15550002222', '001 (555) 000-2222', '203.0.113.4'),
      ],
      [locked, locked, locked, locked],
    )
  })

  it('registers no address that nobody can write to', async () => {
    await world.configure(world.acme.owner, 'tenant_login', { allow_registration: true })
    const register = (email: string, ip: string) =>
      world.post('/auth/register', { email, nickname: 'x', password: 'seventeen blue herons', tenant_code: 'acme' }, ip)
    const answers = [
      await register('a\u0001b@acme.test', '203.0.113.20'),
      await register('a@acme.\u007ftest', '203.0.113.21'),
      await register('a\u202eb@acme.test', '203.0.113.22'),
      await register('ab@acme.test/elsewhere.test', '203.0.113.23'),
    ]
    assert.deepEqual(answers.map(codeOf), Array(answers.length).fill([422, 4220]))
  })

  it('finds no link of an address that is the user’s no more', async () => {
    const { id, email } = await world.user()
    await world.post('/auth/forgot-password', { email, tenant_code: 'acme' })
    const { text } = await world.message(email, 'reset_link')
    const token = /token=([\w-]+)/.exec(text)?.[1]
    assert.equal((await world.acme.owner.put(`/tenant/users/${id}`, { email: 'moved@acme.test' })).status, 200)
    const answer = await world.post('/auth/reset-password', { token, new_password: 'seventeen blue herons' })
    assert.deepEqual(codeOf(answer), [400, 4006])
  })
})
