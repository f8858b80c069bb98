// @both-back-ends
import assert from 'node:assert/strict'
import type { Answer } from '../../support/api.ts'
import { assertTakesAsLong, codesOf, startCodesWorld, type CodesWorld } from './codes-world.ts'

describe('codes and whoever guesses', () => {
  let world: CodesWorld
  before(async () => {
    world = await startCodesWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const send = (email: string, ip?: string) => world.post('/auth/login-code/send', { email, tenant_code: 'acme' }, ip)
  const login = (email: string, code: string, ip?: string) =>
    world.post('/auth/login-code/login', { email, code, tenant_code: 'acme' }, ip)
  const wrongOnes = (right: string, count: number) =>
    Array.from({ length: count }, (_, index) => String((Number(right) + index + 1) % 1_000_000).padStart(6, '0'))

  it('a code is dead after five tries, also for its owner', async () => {
    const { email } = await world.user()
    await send(email)
    const code = await world.code(email, 'login_code')
    const answers: Answer[] = []
    for (const wrong of wrongOnes(code, 5)) answers.push(await login(email, wrong))
    answers.push(await login(email, code))
    assert.deepEqual(codesOf(answers), [4006, 4006, 4006, 4006, 4006, 4006])
  })

  it('four wrong tries leave the fifth', async () => {
    const { email } = await world.user()
    await send(email)
    const code = await world.code(email, 'login_code')
    const answers: Answer[] = []
    for (const wrong of wrongOnes(code, 4)) answers.push(await login(email, wrong))
    answers.push(await login(email, code))
    assert.deepEqual(codesOf(answers), [4006, 4006, 4006, 4006, 0])
  })

  it('tries at the same time are no more than five', async () => {
    const { email, id } = await world.user()
    await send(email)
    const code = await world.code(email, 'login_code')
    const answers = await Promise.all(wrongOnes(code, 20).map((wrong) => login(email, wrong)))
    const rows = (await world.platform.test.kernel.database
      .knex('auth_codes')
      .where({ user_id: id })
      .queryContext({ tenant: 'all' })) as { tries: number }[]
    assert.deepEqual(
      [new Set(codesOf(answers)), rows.map(({ tries }) => tries), codesOf([await login(email, code)])],
      [new Set([4006]), [5], [4006]],
    )
  })

  it('too many wrong codes lock the account for their network, known or not', async () => {
    const { email } = await world.user()
    const outcomes = async (address: string, ip: string) => {
      const answers: Answer[] = []
      for (let attempt = 0; attempt < 6; attempt += 1) answers.push(await login(address, '000000', ip))
      assert.ok(Number(answers[5]?.headers['retry-after']) > 0)
      return codesOf(answers)
    }
    const expected = [4006, 4006, 4006, 4006, 4006, 4292]
    assert.deepEqual(
      [await outcomes(email, '192.0.2.1'), await outcomes('nobody@acme.test', '192.0.2.2')],
      [expected, expected],
    )
  })

  it('an address that nobody has is answered like one that somebody has, and gets nothing', async () => {
    const { email } = await world.user()
    const both = async (address: string) => {
      const [first, second] = [await send(address), await send(address)]
      return [first.status, first.body['data'], second.body['code'], Number(second.headers['retry-after']) > 0]
    }
    const stranger = 'people@acme.test'
    const [known, unknown] = [await both(email), await both(stranger)]
    await world.message(email, 'login_code')
    assert.deepEqual(unknown, known)
    assert.deepEqual(
      world.messages.filter(({ to }) => to === stranger),
      [],
    )
    assert.deepEqual(codesOf([await login(stranger, '000000')]), [4006])
  })

  it('an address that nobody has takes as long as one that somebody has', async () => {
    await assertTakesAsLong(world, send)
  })

  it('one network gets no more than twenty messages an hour', async () => {
    const answers: Answer[] = []
    for (let count = 0; count < 21; count += 1) answers.push(await send(`flood${count}@acme.test`, '198.51.100.7'))
    const last = answers.at(-1)
    assert.deepEqual([codesOf(answers.slice(0, 20)).every((code) => code === 0), last?.body['code']], [true, 4295])
    assert.ok(Number(last?.headers['retry-after']) > 0 && Number(last?.body['details']?.['retry_after']) > 0)
  })

  it('after failures from a network it has to solve a captcha before more is sent', async () => {
    const { email } = await world.user()
    for (let attempt = 0; attempt < 3; attempt += 1) await login(email, '000000', '203.0.113.5')
    const [here, elsewhere] = [await send(email, '203.0.113.5'), await send(email, '203.0.113.6')]
    assert.deepEqual(
      [codesOf([here, elsewhere]), here.body['details']?.['action'], here.body['details']?.['endpoint']],
      [[4004, 0], 'login_code', 'user'],
    )
  })
})
