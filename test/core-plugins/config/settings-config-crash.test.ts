// @both-back-ends
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { generateFernetKey } from '#kernel'
import { childEnv } from '../../support/child-env.ts'
import { Api, type Answer, type Body } from '../../support/api.ts'
import { createTestDatabase, testRedisUrl, type TestDatabase } from '../../support/cluster.ts'
import { admin, dump, followsIn, owner, plugins } from '../../support/configuration.ts'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { silentLog, startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { until } from '../../support/until.ts'
import { followerOf } from './settings-config-follower.ts'

const login = '/tenant/configs/groups/tenant_login'
const policy = '/admin/configs/groups/platform_tenant_policy'

describe('a change of configuration on several hosts', () => {
  let database: TestDatabase
  let host: TestKernel
  let other: TestKernel
  const secrets = {
    APP_SECRET: randomBytes(32).toString('base64url'),
    JWT_KEYS: `k1:${randomBytes(32).toString('hex')}`,
    CONFIG_FERNET_KEYS: generateFernetKey(),
  }
  const namespace = randomUUID()

  before(async () => {
    database = await createTestDatabase(migratedFor(plugins, silentLog))
    const shared = { plugins: [...plugins, followerOf(false)], databaseUrl: database.url, namespace, env: secrets }
    host = await startTestKernel(shared)
    other = await startTestKernel(shared)
    await host.kernel.database.knex.schema.createTable('test_effects', (table) => {
      table.text('effect')
      table.text('host')
    })
  })
  after(async () => {
    await other[Symbol.asyncDispose]()
    await host[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  const rows = async (table: string): Promise<readonly Body[]> =>
    (await host.kernel.database.knex(table).queryContext({ tenant: 'all' })) as Body[]
  const put = (url: string, body: unknown, token = owner): Promise<Answer> => host.api.put(url, body, { token })
  const changes = async (): Promise<readonly Body[]> =>
    (await host.api.get('/admin/configs/changes', { token: admin })).body['data']?.['items'] as unknown as Body[]
  const ask = async (title: string): Promise<number> => {
    assert.equal((await put(policy, { tenant_config_approval: 'all' }, admin)).status, 200)
    assert.equal((await put(login, { login_title: title })).status, 202)
    return Number((await changes())[0]?.['id'])
  }

  it('is followed to the end by another host when the first is killed between commit and effects', async () => {
    const id = await ask('Killed')
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'settings-config-host.ts')], {
      env: {
        ...{ ...childEnv, NODE_ENV: 'test', HOST: '127.0.0.1', DATABASE_URL: database.url },
        ...{ NAMESPACE: namespace, ...secrets, ...(testRedisUrl() && { REDIS_URL: testRedisUrl() }) },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    await until(() => output.includes('\n'), 60_000)
    const crashing = new Api(output.trim())
    const approved = crashing.post(`/admin/configs/changes/${id}/approve`, {}, { token: admin })
    const lost = assert.rejects(approved)
    await until(() => output.includes('stuck'))
    child.kill('SIGKILL')
    await Promise.all([ended, lost])
    // The values hold, what followed already is done, and the rest waits for whoever is there.
    const left = await followsIn(host)
    const stateOf = async (): Promise<unknown> =>
      (await changes()).find((change) => Number(change['id']) === id)?.['state']
    assert.deepEqual([left, await stateOf()], [['test.second'], 'approved'])
    const began = (await rows('test_effects')).map(({ effect }) => effect)
    assert.deepEqual(began, ['test.first', 'test.second'])
    // As if the time that a host may take for an effect were over.
    await host.kernel.database
      .knex('jobs')
      .where({ kind: 'config.follow' })
      .update({ run_at: new Date() })
      .queryContext({ tenant: 'all' })
    await until(async () => (await stateOf()) === 'applied')
    const ran = await rows('test_effects')
    assert.deepEqual(
      ran.map(({ effect }) => effect),
      ['test.first', 'test.second', 'test.second'],
    )
    assert.ok([host, other].some(({ kernel }) => kernel.hostId === (ran.at(-1)?.['host'] as unknown)))
    await until(async () => (await followsIn(host)).length === 0)
  })

  it('is decided once by administrators who decide at once on two hosts', async () => {
    const id = await ask('Raced')
    const before = (await rows('test_effects')).length
    const decide = (at: TestKernel, verb: string): Promise<Answer> =>
      at.api.post(`/admin/configs/changes/${id}/${verb}`, {}, { token: admin })
    const answers = await Promise.all([host, other, host, other].map((at) => decide(at, 'approve')))
    assert.deepEqual(answers.map(({ status, body }) => `${status} ${String(body['code'] as unknown)}`).sort(), [
      '200 0',
      ...Array<string>(3).fill('409 4094'),
    ])
    await until(async () => (await followsIn(host)).length === 0)
    assert.equal((await rows('test_effects')).length, before + 2)
  })

  it('goes to one of two writers who have seen the same version', async () => {
    await put(policy, { tenant_config_approval: 'off' }, admin)
    // The other host may have written it, and this one reads that within a second.
    await until(async () => JSON.stringify((await host.api.get(login, { token: owner })).body).includes('Raced'))
    const { headers } = await host.api.get(login, { token: owner })
    const write = (at: TestKernel, subtitle: string): Promise<Answer> =>
      at.api.put(
        login,
        { login_subtitle: subtitle },
        { token: owner, headers: { 'if-match': String(headers['etag']) } },
      )
    const answers = await Promise.all([write(host, 'one'), write(other, 'two')])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412])
  })

  it('that is refused leaves every row of every table as it was', async () => {
    const tables = ['system_config_change_requests', 'jobs', 'system_configs', 'access_audit_log']
    const all = async (): Promise<unknown> => [await dump(host), await Promise.all(tables.map(rows))]
    const before = await all()
    const refused = [
      await put(login, { login_title: 'Fine', login_methods: [] }),
      await put(login, { login_title: 'Fine', unheard: 1 }),
      await put(login, { values: { login_title: 'Fine' }, reset: ['unheard'] }),
      await put(login, { values: { login_title: 'Fine' }, items: [{ key: 'login_bg', value: 'javascript:alert(1)' }] }),
      await put(login, { values: { login_title: 'Fine' }, reset: ['login_title'] }),
      await put(login, { values: [] }),
      await put('/tenant/configs/groups/platform_basic', { site_name: 'Mine' }),
      await put('/tenant/configs/groups/unheard', { login_title: 'Fine' }),
      await host.api.put(login, '{"login_title":', { token: owner, headers: { 'content-type': 'application/json' } }),
    ]
    assert.deepEqual(
      refused.map(({ body }) => body['code']),
      [4222, 4003, 4003, 4222, 4222, 4220, 4049, 4049, 4001],
    )
    assert.deepEqual(await all(), before)
  })

  itOnRedis('is read on the other host within a second, whoever’s it is', async () => {
    const read = async (key: string): Promise<unknown> =>
      (await other.api.get('/api/public/tenant/config', { host: 't6.localhost' })).body['data']?.[key]
    await read('icp')
    assert.equal((await put('/configs/groups/tenant_basic', { icp: 'default of all' }, admin)).status, 200)
    await until(async () => (await read('icp')) === 'default of all', 1000)
  })
})
