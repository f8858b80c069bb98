import assert from 'node:assert/strict'
import type { Api } from '../support/api.ts'
import { startTestPlatform, type TestPlatform } from '../support/identity.ts'
import { dataOf } from '../support/platform.ts'

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

async function write(api: Api, method: 'patch' | 'put', path: string, step: number): Promise<void> {
  const size = { page_size: 21 + (step % 79) }
  const home = { home_path: `/step/${step}` }
  // In both orders, so that writers who locked rows one by one would wait for each other in a circle.
  dataOf(await api[method](path, step % 2 === 0 ? { ...size, ...home } : { ...home, ...size }))
}
