import assert from 'node:assert/strict'
import type { Answer } from '../support/api.ts'
import { testPassword } from '../support/identity.ts'
import { closed, outcome, startUsersWorld, type UsersWorld } from './users-world.ts'

/** What changes from answer to answer whoever asks. */
const moving = /^(date|x-trace-id|x-request-id|traceparent|content-length|.*ratelimit.*)$/

describe('attack: asking who has an account', function () {
  this.timeout(120_000)
  let world: UsersWorld
  let people = 0

  before(async () => {
    world = await startUsersWorld()
    await world.platform.createUser(world.acme, 'known@acme.test', ['tenant_user'])
  })
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.signIn({ ...closed, allow_registration: true }))

  const free = (): string => `k-nobody-${(people += 1)}@acme.test`
  const post = (path: string, body: object): Promise<Answer> =>
    world.platform.test.api.post(path, body, {
      host: world.acme.host,
      headers: { 'x-forwarded-for': `10.77.0.${(people += 1)}` },
    })
  const person = (email: string, more: object = {}) => ({
    ...{ email, nickname: 'Newcomer', password: 'nine purple otters', ...more },
  })

  /** An answer without what is another each time: numbers and texts of the data by their types. */
  function shapeOf({ status, headers, body }: Answer): object {
    const names = Object.entries(headers).filter(([name]) => !moving.test(name))
    const typed = (value: unknown): unknown => {
      if (value === null || typeof value !== 'object') return typeof value
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, typed(each)]))
    }
    const { data, trace_id: trace, ...open } = body as unknown as Record<string, unknown>
    const { user_id: id, ...said } = (data ?? {}) as Record<string, unknown>
    return { status, headers: Object.fromEntries(names), open, said, id: typed(id), trace: typed(trace) }
  }

  async function requireSame(ask: (email: string) => Promise<Answer>): Promise<void> {
    const [known, unknown] = [await ask('known@acme.test'), await ask(free())]
    assert.deepEqual(shapeOf(known), shapeOf(unknown))
  }

  const rules: Readonly<Record<string, object>> = {
    'anybody may come': {},
    'some domains may come': { allowed_email_domains: ['acme.test'] },
    'newcomers are approved': { registration_approval: true },
  }
  for (const [rule, settings] of Object.entries(rules)) {
    for (const path of ['/auth/register', '/tenant/users/register']) {
      it(`learns nothing from ${path} where ${rule}`, async () => {
        await world.signIn({ ...closed, allow_registration: true, ...settings })
        const answer = await post(path, person(free()))
        assert.deepEqual([answer.status, answer.body['data']?.['status']], [201, 'pending_verification'])
        await requireSame((email) => post(path, person(email)))
        await requireSame((email) => post(path, person(email.toUpperCase())))
      })
    }
  }

  it('learns nothing with an invitation that is open to anybody, which a known address does not use up', async () => {
    await world.signIn(closed)
    const { body } = await world.acme.owner.post('/tenant/users/invites', { roles: ['tenant_user'] })
    const code = body['data']?.['invite_code']
    await requireSame((email) => post('/auth/register', person(email, { invite_code: code })))
  })

  it('learns nothing by signing in with the password that was given', async () => {
    const signIn = (account: string, password: string) => post('/auth/login/json', { account, password })
    await requireSame(async (email) => {
      await post('/auth/register', person(email))
      const answer = await signIn(email, 'nine purple otters')
      assert.deepEqual(
        [outcome(answer), answer.body['details']],
        ['403 4034 account_inactive', { status: 'pending_verification' }],
      )
      return answer
    })
    await requireSame(async (email) => {
      await post('/auth/register', person(email))
      return signIn(email, 'another password')
    })
    assert.equal(outcome(await world.login('known@acme.test', testPassword)), '200 0')
  })

  it('learns nothing from a telephone number', async () => {
    const taken = '+4915112345678'
    const first = await post('/auth/register', person(free(), { phone: taken }))
    const again = await post('/auth/register', person(free(), { phone: taken }))
    assert.deepEqual(shapeOf(again), shapeOf(first))
  })

  it('learns nothing by asking for a new password or for a code', async () => {
    for (const path of ['/auth/forgot-password', '/auth/login-code/send']) {
      await requireSame((email) => post(path, { email, tenant_code: 'acme' }))
    }
  })

  it('makes nobody, changes nobody, and the owner of the address hears of it once in a while', async () => {
    const count = async () => (await world.acme.owner.get('/tenant/users?page_size=1')).body['data']?.['total']
    await world.platform.createUser(world.acme, 'owned@acme.test', ['tenant_user'])
    const before = await count()
    for (let times = 0; times < 3; times += 1) await post('/auth/register', person('owned@acme.test'))
    const { text } = await world.message('owned@acme.test', 'address_taken')
    assert.match(text, /http:\/\/acme\.localhost\S*\/login/)
    await world.login('owned@acme.test', testPassword)
    await post('/auth/register', person('later@acme.test'))
    await world.message('later@acme.test', 'verify_email')
    const told = world.messages.filter(({ to }) => to === 'owned@acme.test').map(({ template }) => template)
    assert.deepEqual(
      told.filter((template) => template === 'address_taken'),
      ['address_taken'],
    )
    assert.equal(Number(await count()), Number(before) + 1)
  })
})
