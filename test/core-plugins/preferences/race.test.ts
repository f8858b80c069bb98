// @both-back-ends
import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import type { Api, Body } from '../../support/api.ts'
import { startTestPlatform, type TestPlatform } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'

const rounds = 12

describe('personal and global preferences that change at once', () => {
  let platform: TestPlatform
  before(async () => {
    platform = await startTestPlatform()
  })
  after(() => platform[Symbol.asyncDispose]())

  it('leave no own value that is older than the last change of its global one', async () => {
    const tenant = await platform.createTenant('race')
    const users = await Promise.all(
      Array.from({ length: 6 }, async (_, at) =>
        platform.createUser(tenant, `user${at}@race.test`, ['tenant_user']).then(({ api }) => api),
      ),
    )
    let step = 0
    const own = (api: Api): Promise<void> => write(api, 'patch', '/preferences', (step += 1))
    const global = (): Promise<void> => write(tenant.owner, 'put', '/tenant/preferences/global', (step += 1))
    for (let round = 0; round < rounds; round += 1) {
      // Every home path is another one, so that each global write changes at least that.
      const first = users.map(own)
      await Promise.all([...first, global(), ...users.map(own), global(), ...users.map(own)])
      assert.deepEqual(await staleValues(tenant.id), [])
    }
  })

  it('wait for each other: an own value under way is removed like any other', async () => {
    const tenant = await platform.createTenant('waiting')
    const { id, api: user } = await platform.createUser(tenant, 'user@waiting.test', ['tenant_user'])
    const { knex } = platform.test.kernel.database
    // The same row, not yet committed: the user's write waits for it in the middle of its transaction.
    await using other = await holdRow(tenant.id, id)
    const writing = user.patch('/preferences', { theme: 'dark' })
    await until(async () => (await waiting(knex)) === 1)
    let isChanged = false
    const changing = tenant.owner
      .put('/tenant/preferences/global', { theme: 'light' })
      .finally(() => (isChanged = true))
    await until(async () => isChanged || (await waiting(knex)) === 2)
    await other[Symbol.asyncDispose]()
    dataOf(await writing)
    assert.deepEqual(dataOf(await changing), { changed: ['theme'], unchanged: [], overrides_removed: 1 })
    const [theme] = dataOf(await user.get('/preferences?keys=theme'))['items'] as unknown as readonly Body[]
    assert.deepEqual([theme?.['value'], theme?.['source']], ['light', 'global'])
  })

  it('count each removed value once', async () => {
    const tenant = await platform.createTenant('counted')
    dataOf(await tenant.owner.patch('/preferences', { page_size: 11 }))
    const sizes = [30, 40, 50, 60, 70]
    const answers = await Promise.all(
      sizes.map((size) => tenant.owner.put('/tenant/preferences/global', { page_size: size })),
    )
    const removed = answers.map((answer) => Number(dataOf(answer)['overrides_removed']))
    assert.equal(
      removed.reduce((sum, each) => sum + each),
      1,
    )
  })

  /** Begins to write a user's theme, and takes it back when disposed. */
  async function holdRow(tenantId: number, userId: number): Promise<AsyncDisposable> {
    const trx = await platform.test.kernel.database.knex.transaction()
    const row = { scope: 'tenant_admin', tenant_id: tenantId, user_id: userId, key: 'theme', value: '"light"' }
    await trx('preferences')
      .insert({ ...row, updated_by: userId })
      .queryContext({ tenant: tenantId })
    return {
      async [Symbol.asyncDispose]() {
        if (!trx.isCompleted()) await trx.rollback()
      },
    }
  }

  /** Own values that are older than the global one they should have been removed with. */
  async function staleValues(tenantId: number): Promise<unknown> {
    const { knex } = platform.test.kernel.database
    const rows: unknown = await knex('preferences as own')
      .join('preferences as global', 'global.key', 'own.key')
      .select('own.key', 'own.user_id', 'own.value', 'global.value as global_value')
      .where({ 'global.user_id': 0, 'own.tenant_id': tenantId, 'global.tenant_id': tenantId })
      .whereNot({ 'own.user_id': 0 })
      .where('own.updated_at', '<', knex.ref('global.updated_at'))
      .queryContext({ tenant: tenantId })
    return rows
  }
})

/** How many statements wait for a lock in the platform's database. */
async function waiting(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: [{ count: number }] }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].count
}

async function write(api: Api, method: 'patch' | 'put', path: string, step: number): Promise<void> {
  const size = { page_size: 21 + (step % 79) }
  const home = { home_path: `/step/${step}` }
  // In both orders, so that writers who locked rows one by one would wait for each other in a circle.
  dataOf(await api[method](path, step % 2 === 0 ? { ...size, ...home } : { ...home, ...size }))
}
