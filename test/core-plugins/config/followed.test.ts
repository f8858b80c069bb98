// @both-back-ends
import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { definePlugin, type Plugin, tenantsDeleted } from '#kernel'
import { configChanged, tenantConfigWorkflow } from '../../../core-plugins/config/contract.ts'
import { up } from '../../../core-plugins/config/migrations/0004-follow-jobs.ts'
import { admin, followsIn, itemsOf, owner, plugins } from '../../support/configuration.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { tenantToken } from '../../support/plain-identity.ts'
import { until } from '../../support/until.ts'

const login = '/tenant/configs/groups/tenant_login'
const brand = '/tenant/configs/groups/tenant_basic'

describe('what follows a write', () => {
  it('happens on another host when the first one ended before it could', async () => {
    await using database = await createTestDatabase()
    const shared = { databaseUrl: database.url }
    const count = async (host: TestKernel): Promise<number> => (await followsIn(host)).length
    {
      await using first = await startTestKernel({ plugins, ...shared })
      const run = (): Promise<void> => Promise.reject(new Error('the process is about to end'))
      const workflow = first.kernel.services.get(tenantConfigWorkflow)
      workflow.registerEffect({ name: 'test.crash', keys: ['login_title'], run })
      assert.equal((await first.api.put(login, { login_title: 'Held' }, { token: owner })).status, 200)
      assert.equal(await count(first), 1)
    }
    const seen: unknown[] = []
    await using second = await startTestKernel({ plugins: [...plugins, follower(seen)], ...shared })
    await until(async () => (await count(second)) === 0)
    assert.deepEqual(seen, [{ tenantId: 5, group: 'tenant_login', keys: ['login_title'] }])
  })

  it('happens although the platform was upgraded before it could', async () => {
    const seen: unknown[] = []
    await using host = await startTestKernel({ plugins: [...plugins, follower(seen)] })
    const { knex } = host.kernel.database
    await knex.schema.alterTable('system_config_change_requests', (table) => table.dropColumn('left_effects'))
    await knex.schema.createTable('system_config_outbox', (table) => {
      table.bigIncrements('id')
      table.integer('tenant_id')
      table.integer('request_id')
      for (const name of ['effect', 'group_code', 'scope']) table.text(name)
      table.jsonb('keys')
      table.timestamp('due_at')
    })
    const asked = { tenant_id: 5, group_code: 'tenant_login', before: {}, after: {}, state: 'approved' }
    const requests = () => knex('system_config_change_requests').queryContext({ tenant: 'all' })
    const [request] = (await requests().insert(asked).returning('id')) as unknown as readonly { id: number }[]
    await knex('system_config_outbox').insert({
      ...{ tenant_id: 5, request_id: request?.id, effect: 'test.crash', group_code: 'tenant_login' },
      ...{ scope: 'ALL_TENANTS', keys: JSON.stringify(['login_title']), due_at: new Date(0) },
    })
    await knex.transaction((trx) => up(trx))
    await until(async () => (await followsIn(host)).length === 0)
    assert.deepEqual(seen, [{ tenantId: 5, group: 'tenant_login', keys: ['login_title'] }])
    assert.deepEqual(await requests().select('state', 'left_effects'), [{ state: 'applied', left_effects: [] }])
  })

  it('ends with the tenant, whose values and requests go', async () => {
    const gone = definePlugin({
      name: 'tenants',
      version: '1.0.0',
      title: { default: 'Tenants' },
      description: { default: 'Ends a tenant' },
      setup: (scope) => scope.on(configChanged, ({ keys }) => end(scope, keys)),
    })
    const end = async (scope: Parameters<Plugin['setup']>[0], keys: readonly string[]): Promise<void> => {
      if (keys.includes('login_bg')) await scope.emit(tenantsDeleted, { tenantId: 5 })
    }
    await using host = await startTestKernel({ plugins: [...plugins, gone] })
    const policy = '/admin/configs/groups/platform_tenant_policy'
    await host.api.put(brand, { icp: 'five' }, { token: owner })
    await host.api.put(brand, { icp: 'six' }, { token: tenantToken(6, '*:*') })
    await host.api.put(policy, { tenant_config_approval: 'all' }, { token: admin })
    await host.api.put(brand, { icp: 'asked' }, { token: owner })
    await host.api.put('/admin/configs/groups/tenant_login', { login_bg: 'https://a.test/x.png' }, { token: admin })
    const count = async (table: string): Promise<unknown> =>
      (
        (await host.kernel.database
          .knex(table)
          .where('tenant_id', '>', 0)
          .queryContext({ tenant: 'all' })) as unknown as {
          tenant_id: number
        }[]
      ).map((row) => row.tenant_id)
    assert.deepEqual([await count('system_config_values'), await count('system_config_change_requests')], [[6], []])
    assert.equal(itemsOf(await host.api.get(brand, { token: owner }))['icp']?.['value'], '')
  })

  function follower(seen: unknown[]): Plugin {
    return definePlugin({
      name: 'follower',
      version: '1.0.0',
      title: { default: 'Follower' },
      description: { default: 'Follows changes' },
      needs: { workflow: tenantConfigWorkflow },
      setup(scope, { workflow }) {
        const run = (change: unknown): Promise<void> => Promise.resolve(void seen.push(change))
        scope.use(workflow.registerEffect({ name: 'test.crash', keys: ['login_title'], run }))
      },
    })
  }
})
