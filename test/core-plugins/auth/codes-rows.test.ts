// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { OneTimeCodes } from '../../../core-plugins/auth/codes/one-time-codes.ts'
import { startTestPlatform, type TestPlatform } from '../../support/identity.ts'

describe('the rows of codes', () => {
  let platform: TestPlatform
  let codes: OneTimeCodes
  before(async () => {
    platform = await startTestPlatform()
    codes = new OneTimeCodes(platform.test.kernel.database.knex, randomBytes(32))
  })
  after(() => platform[Symbol.asyncDispose]())

  const knex = () => platform.test.kernel.database.knex
  const bindingOf = (address: string) => ({ tenantId: 7, channel: 'email', address, purpose: 'login' }) as const
  const create = (address: string, userId: number | null = 1) =>
    knex().transaction((trx) => codes.create(bindingOf(address), userId, trx))
  const rows = async (): Promise<readonly Record<string, unknown>[]> =>
    (await knex()('auth_codes').where({ tenant_id: 7 }).queryContext({ tenant: 'all' })) as Record<string, unknown>[]

  it('hold one code for an address and purpose: a new one takes the place of the old, with five new tries', async () => {
    const binding = bindingOf('one@acme.test')
    let old = await create(binding.address)
    for (let attempt = 0; attempt < 5; attempt += 1) await codes.try(binding, 'x')
    let next = await create(binding.address)
    // One in a million is the same again.
    while (next === old) [old, next] = [next, await create(binding.address)]
    const [before, after] = [await codes.try(binding, old), await codes.try(binding, next)]
    assert.deepEqual([before, after?.userId], [undefined, 1])
  })

  it('are used by one of two who tried the same code', async () => {
    const binding = bindingOf('twice@acme.test')
    const code = await create(binding.address)
    const [one, other] = [await codes.try(binding, code), await codes.try(binding, code)]
    assert.ok(one && other)
    assert.deepEqual([await codes.use(one), await codes.use(other)], [true, false])
  })

  it('of an address that nobody has open nothing, even to who knows the code', async () => {
    const binding = bindingOf('nobody@acme.test')
    const code = await create(binding.address, null)
    assert.equal(await codes.try(binding, code), undefined)
  })

  it('put back after a use that came to nothing never replace a newer one', async () => {
    const binding = bindingOf('late@acme.test')
    const code = await create(binding.address)
    const fitting = (await codes.try(binding, code)) ?? assert.fail('it fits')
    const used = [await codes.use(fitting), await codes.use(fitting)]
    const newer = await create(binding.address)
    await codes.putBack(fitting)
    assert.deepEqual([used, (await codes.try(binding, newer))?.userId], [[true, false], 1])
  })

  it('put back give back the one try that was made of them and no other', async () => {
    const binding = bindingOf('tries@acme.test')
    const code = await create(binding.address)
    for (let attempt = 0; attempt < 4; attempt += 1) await codes.try(binding, 'x')
    const fitting = (await codes.try(binding, code)) ?? assert.fail('it fits')
    await codes.use(fitting)
    await codes.putBack(fitting)
    const again = await codes.try(binding, code)
    assert.deepEqual([again?.userId, again?.tries, await codes.try(binding, code)], [1, 5, undefined])
  })

  it('hold a code for its purpose alone, whatever the row says', async () => {
    const binding = bindingOf('purpose@acme.test')
    const code = await create(binding.address)
    await knex()('auth_codes')
      .where({ tenant_id: 7, purpose: 'login' })
      .update({ purpose: 'reset_password' })
      .queryContext({ tenant: 'all' })
    assert.equal(await codes.try({ ...binding, purpose: 'reset_password' } as never, code), undefined)
    await knex()('auth_codes').where({ tenant_id: 7 }).delete().queryContext({ tenant: 'all' })
  })

  it('tell neither the code nor the address', async () => {
    const code = await create('secret@acme.test')
    const text = JSON.stringify(await rows())
    assert.equal(text.includes('secret'), false)
    assert.equal(
      (await rows()).some(({ code_hash: hash }) => hash === code),
      false,
    )
  })

  it('go when they are too old', async () => {
    await create('old@acme.test')
    await knex()('auth_codes')
      .where({ tenant_id: 7 })
      .update({ expires_at: new Date() })
      .queryContext({ tenant: 'all' })
    await codes.sweep()
    assert.deepEqual(await rows(), [])
  })
})
