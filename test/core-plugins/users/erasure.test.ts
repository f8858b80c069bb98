import assert from 'node:assert/strict'
import { jobs } from '../../../core-plugins/jobs/contract.ts'
import { runningKernel } from '../../support/auth.ts'
import { until } from '../../support/until.ts'
import { startUsersWorld, type UsersWorld } from './world.ts'

/** What is read of a job. */
interface Job {
  readonly state: string
  readonly attempts: number
  readonly run_at: Date
}

const everybody = { tenant: 'all' } as const
const hourMs = 3_600_000

describe('what other plugins keep of a user who was deleted', () => {
  let world: UsersWorld
  before(async () => {
    world = await startUsersWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const kernel = () => runningKernel(world.platform)
  const table = (name: string) => kernel().database.knex(name).queryContext(everybody)
  const raw = (sql: string) => kernel().database.knex.raw(sql).queryContext(everybody)
  const erasures = (userId: number) =>
    table('jobs')
      .where('kind', 'users.erase')
      .whereRaw(`payload->>'userId' = ?`, [String(userId)])

  async function job(userId: number): Promise<Job | undefined> {
    return erasures(userId).first<Job | undefined>('state', 'attempts', 'run_at')
  }

  async function chosen(userId: number): Promise<number> {
    return ((await table('preferences').where({ user_id: userId })) as readonly unknown[]).length
  }

  /** As a call does that ends when its user is gone. */
  async function choose(userId: number): Promise<void> {
    const row = {
      scope: 'tenant_admin',
      tenant_id: world.acme.id,
      user_id: userId,
      key: 'late',
      value: '1',
      updated_by: 1,
    }
    await table('preferences').insert(row)
  }

  async function member(name: string): Promise<number> {
    const { id } = await world.platform.createUser(world.acme, `${name}@acme.test`, ['tenant_user'])
    await choose(id)
    return id
  }

  const comes = (userId: number, more: object = {}) => erasures(userId).update({ run_at: new Date(0), ...more })

  it('is deleted again while a plugin fails to, and once more when no call of the user is left', async () => {
    const id = await member('gone')
    await raw(`
      create function refuse_to_forget() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
      create trigger refuse_to_forget before delete on preferences for each row execute function refuse_to_forget()`)
    const deleted = await world.acme.owner.delete(`/tenant/users/${id}`)
    assert.deepEqual([deleted.status, await chosen(id), (await job(id))?.state], [200, 1, 'delayed'])
    await comes(id)
    await until(async () => (await job(id))?.attempts === 1 && (await job(id))?.state === 'delayed')
    assert.equal(await chosen(id), 1)
    await raw('drop trigger refuse_to_forget on preferences')
    await comes(id)
    await until(async () => (await chosen(id)) === 0)
    await until(async () => (await job(id))?.state === 'delayed')
    const waits = Number((await job(id))?.run_at) - Date.now()
    assert.ok(waits > 2 * hourMs && waits < 3 * hourMs, String(waits))
    await choose(id)
    await comes(id, { created_at: new Date(Date.now() - 3 * hourMs) })
    await until(async () => (await job(id))?.state === 'done')
    assert.equal(await chosen(id), 0)
  })

  it('is deleted when the host that deleted the user told nobody', async () => {
    const id = await member('untold')
    await raw(`
      create function keep_to_itself() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger keep_to_itself before delete on preferences for each row execute function keep_to_itself()`)
    await world.acme.owner.delete(`/tenant/users/${id}`)
    assert.equal(await chosen(id), 1)
    await raw('drop trigger keep_to_itself on preferences')
    await comes(id)
    await until(async () => (await chosen(id)) === 0)
  })

  it('stays when the user is there after all', async () => {
    const id = await member('present')
    const { services, database } = kernel()
    const options = { tenant: world.acme.id }
    await database.knex.transaction((trx) => services.get(jobs).enqueue(trx, 'users.erase', { userId: id }, options))
    await until(async () => (await job(id))?.state === 'done')
    assert.equal(await chosen(id), 1)
  })
})
