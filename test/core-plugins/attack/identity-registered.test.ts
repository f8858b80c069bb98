import assert from 'node:assert/strict'
import type { Answer } from '../../support/api.ts'
import { runningKernel } from '../../support/auth.ts'
import { dataOf } from '../../support/platform.ts'
import { testPassword } from '../../support/identity.ts'
import { closed, outcome, startUsersWorld, type UsersWorld } from '../users/world.ts'

/** What changes from answer to answer whoever asks. */
const moving = /^(date|x-trace-id|x-request-id|traceparent|content-length|.*ratelimit.*)$/

/** What registrations read and write. */
const concerned = /\b(users|user_email_proofs|user_invitations|access_roles|access_user_roles|insert into jobs)\b/

describe('attack: asking who has an account', () => {
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

  it('learns nothing from the time: the same is asked of the database for known and unknown names and numbers', async () => {
    const holder = await world.platform.createUser(world.acme, 'holder@acme.test', ['tenant_user'])
    const taken = '+4915187654321'
    dataOf(await world.acme.owner.put(`/tenant/users/${holder.id}`, { phone: taken }))
    const phone = (): string => `+49151${String((people += 1)).padStart(7, '0')}`
    const asks: readonly ((email: string, number: string) => object)[] = [
      (email) => person(email),
      (email, number) => person(email, { phone: number }),
    ]
    for (const ask of asks) {
      const unknown = await statementsOf(() => post('/auth/register', ask(free(), phone())))
      for (const [email, number] of [
        ['known@acme.test', phone()],
        [free(), taken],
        ['known@acme.test', taken],
      ] as const) {
        assert.deepEqual(await statementsOf(() => post('/auth/register', ask(email, number))), unknown)
      }
    }
    // Made before: each is good for one newcomer, and a known address uses none up.
    const codes: unknown[] = []
    for (let count = 0; count < 3; count++) {
      const { body } = await world.acme.owner.post('/tenant/users/invites', { roles: ['tenant_user'] })
      codes.push(body['data']?.['invite_code'])
    }
    const invited = (email: string, code: unknown) => post('/auth/register', person(email, { invite_code: code }))
    const known = await statementsOf(() => invited('known@acme.test', codes[0]))
    assert.deepEqual(await statementsOf(() => invited(free(), codes.pop())), known)
    const { text } = await world.message('holder@acme.test', 'number_taken')
    assert.match(text, /http:\/\/acme\.localhost\S*\/login/)
    const told = world.messages.filter(({ template }) => template === 'number_taken').map(({ to }) => to)
    assert.deepEqual(told, ['holder@acme.test'])
  })

  /** What the pool is asked until the answer comes, each time it is tried; what else goes on meanwhile is not so each time. */
  async function statementsOf(ask: () => Promise<Answer>, tries = 3): Promise<readonly string[]> {
    const { knex } = runningKernel(world.platform).database
    const seen: string[][] = []
    for (let count = 0; count < tries; count++) {
      const now: string[] = []
      const note = ({ sql }: { readonly sql: string }): void => void (concerned.test(sql) && now.push(sql))
      knex.on('query', note)
      assert.equal((await ask()).status, 201)
      knex.removeListener('query', note)
      // With a number or without one.
      seen.push(now.map((sql) => sql.replace(/ "phone",/, '').replace(/values \([^)]*\)/, 'values')))
    }
    const often = (sql: string) => Math.min(...seen.map((each) => each.filter((other) => other === sql).length))
    const own = [...new Set(seen.flat())].flatMap((sql) => Array<string>(often(sql)).fill(sql))
    return own.sort()
  }

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
