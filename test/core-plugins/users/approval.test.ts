import assert from 'node:assert/strict'
import { runningKernel } from '../../support/auth.ts'
import { outcome, startUsersWorld, type UsersWorld } from './world.ts'

describe('approvals', () => {
  let world: UsersWorld
  before(async () => {
    world = await startUsersWorld()
    await world.signIn({ allow_registration: true, registration_approval: true })
  })
  after(() => world[Symbol.asyncDispose]())

  async function pending(email: string): Promise<string> {
    const made = await world.join(email)
    assert.equal(made.body['data']?.['status'], 'pending_approval', JSON.stringify(made.body))
    return `/tenant/users/${Number(made.body['data']?.['user_id'])}`
  }

  it('let a newcomer in, who is told', async () => {
    const path = await pending('ann@acme.test')
    const early = await world.login('ann@acme.test')
    const approved = await world.acme.owner.post(`${path}/approve`, { approved: true })
    const again = await world.acme.owner.post(`${path}/approve`, { approved: true })
    await world.message('ann@acme.test', 'registration_approved')
    assert.deepEqual([early.body['code'], early.body['details']?.['status']], [4034, 'pending_approval'])
    assert.equal(approved.body['data']?.['status'], 'active')
    assert.equal(outcome(again), '409 4094 not_pending')
    assert.equal(outcome(await world.login('ann@acme.test')), '200 0')
  })

  it('turn a newcomer away, who is told why and may come again', async () => {
    const path = await pending('bob@acme.test')
    const rejected = await world.acme.owner.post(`${path}/approve`, { approved: false, reason: 'We do not know you.' })
    const { text } = await world.message('bob@acme.test', 'registration_rejected')
    assert.equal(rejected.body['data']?.['status'], 'rejected')
    assert.ok(text.includes('We do not know you.'))
    assert.equal(outcome(await world.acme.owner.get(path)), '404 4040 not_found')
    const jobs = runningKernel(world.platform).database.knex('jobs').queryContext({ tenant: 'all' })
    const erasures = await jobs.where({ kind: 'users.erase' }).pluck<{ userId: number }[]>('payload')
    assert.deepEqual(erasures, [{ userId: Number(path.split('/').at(-1)) }])
    await pending('bob@acme.test')
  })

  it('are decided once, whatever several decide at the same time', async () => {
    const path = await pending('race@acme.test')
    const answers = await Promise.all(
      [true, false, true, false].map((approved) => world.acme.owner.post(`${path}/approve`, { approved })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, JSON.stringify(answers.map(outcome)))
  })

  it('are made by nobody without the right, from outside, or by a change of the status', async () => {
    const path = await pending('guarded@acme.test')
    const org = await world.platform.createUser(world.acme, 'org@acme.test', ['org_admin'])
    const other = await world.platform.createTenant('other')
    const answers = [
      await org.api.post(`${path}/approve`, { approved: true }),
      await other.owner.post(`${path}/approve`, { approved: true }),
      await world.acme.owner.put(path, { status: 'active' }),
      await world.acme.owner.put(path, { status: 'disabled' }),
      await world.acme.owner.post(`/tenant/users/${world.acme.ownerId}/approve`, { approved: false }),
      await world.acme.owner.post(`${path}/approve`, {}),
    ]
    assert.deepEqual(answers.map(outcome), [
      '403 4031 permission_denied',
      '404 4040 not_found',
      '409 4094 registration_pending',
      '409 4094 registration_pending',
      '409 4094 not_pending',
      '422 4220 validation_failed',
    ])
  })
})
