// @any-back-end
import assert from 'node:assert/strict'
import { pluginHash8 } from '#sandbox'
import type { Answer, Api, Body } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { signedInLongAgo } from '../../support/old-session.ts'
import { createAdministrator } from './lifecycle-world.ts'
import { clusterSecrets } from '../plugins/cluster-world.ts'
import { fillLedger } from '../plugins/rollbacks-rows.ts'
import { packLedger } from '../plugins/rollbacks-world.ts'
import { untar } from '../backup/untar.ts'

const plugin = '/admin/plugins/acme.ledger'

describe('attack: reading the rows of tenants as an operator', () => {
  let platform: Platform
  let admin: Api
  let tenants: readonly { readonly owner: Api; readonly id: number }[]
  let backup: string

  before(async () => {
    platform = await startPlatform({ env: clusterSecrets })
    admin = platform.admin
    tenants = [await createTenant(admin, 'one'), await createTenant(admin, 'two'), await createTenant(admin, 'three')]
    await installAndEnable(admin, await packLedger({ version: '1.0.0' }))
    const [one, two] = tenants
    for (const tenant of [one, two]) await fillLedger(platform, tenant?.id ?? 0, 3)
    backup = dataOf(await admin.post(`${plugin}/backups`), 201)['name'] as unknown as string
  })
  after(() => platform[Symbol.asyncDispose]())

  const outcome = ({ status, body }: Answer) => `${status} ${body['code'] as unknown as number}`
  const download = (by: Api) => by.get(`${plugin}/backups/${backup}/download`)

  /** Somebody with a role of the platform, freshly signed in. */
  async function hire(role: string): Promise<Api> {
    const user = { email: `${role}@stoa.test`, password: 'a long enough passphrase' }
    dataOf(await admin.post('/admin/users', { ...user, roles: [role] }), 201)
    const credentials = { account: user.email, password: user.password }
    return admin.as(dataOf(await admin.post('/admin/auth/login/json', credentials))['access_token'])
  }

  /** The highest administrator, whose sign-in is an hour old. */
  function stale(): Promise<Api> {
    return signedInLongAgo(platform.host, 'admin@stoa.test', 'a long enough passphrase')
  }

  async function logOf(api: Api, path: string): Promise<readonly Body[]> {
    const { items } = dataOf(await api.get(`${path}?limit=100&action=plugin.backup_downloaded`))
    return items as unknown as readonly Body[]
  }

  it('by a backup is refused to every role below the highest, which may make and delete them', async () => {
    for (const role of ['platform_admin', 'platform_operator', 'platform_auditor']) {
      assert.equal(outcome(await download(await hire(role))), '403 4031', role)
    }
    const keeper = await createAdministrator(admin, 'keeper', ['platform_plugin:backup'])
    assert.equal(outcome(await keeper.get(`${plugin}/backups`)), '200 0')
    assert.equal(outcome(await download(keeper)), '403 4031')
  })

  it('by a backup needs a fresh sign-in', async () => {
    assert.equal(outcome(await download(await stale())), '401 4018')
  })

  it('by a backup stands in the log of the platform, and of each tenant something of whom is in it', async () => {
    const [one, two, three] = tenants
    assert.deepEqual(await logOf(admin, '/admin/audit-logs'), [])
    const answer = await download(admin)
    assert.equal(answer.status, 200)
    assert.ok(untar(Buffer.from(answer.body as unknown as string)).has('tables/children.ndjson'))
    const [line] = await logOf(admin, '/admin/audit-logs')
    assert.deepEqual(
      [line?.['target'], line?.['after']],
      ['plugin:acme.ledger', { backup, tenant_ids: [one?.id, two?.id] }],
    )
    for (const tenant of [one, two]) {
      const log = tenant ? await logOf(tenant.owner, '/tenant/audit-logs') : []
      assert.deepEqual(
        log.map((entry) => entry['after']),
        [{ backup }],
      )
    }
    assert.deepEqual(three && (await logOf(three.owner, '/tenant/audit-logs')), [])
  })

  it('by a bucket of their own for the files of the platform is refused to staff, and needs a fresh sign-in', async () => {
    const staff = await createAdministrator(admin, 'settings', ['platform_config:read', 'platform_config:update'])
    const group = '/admin/configs/groups/platform_storage'
    const config = {
      endpoint: 'https://evil.example',
      bucket: 'mine',
      access_key_id: 'id',
      secret_access_key: 'secret',
    }
    const { secret_access_key: secret, ...open } = config
    const profiles = {
      tenant_storage_profiles: [{ id: 'mine', name: 'Mine', driver: 's3', config: open }],
      tenant_storage_profile_secrets: { 'mine.secret_access_key': secret },
    }
    const answers = [
      await staff.put(group, { storage_driver: 's3', storage_config: config }),
      await staff.put('/admin/configs/groups/platform_tenant_storage', profiles),
      await staff.put(group, { max_file_size_mb: 60 }),
    ]
    assert.deepEqual(answers.map(outcome), ['403 4031', '403 4031', '200 0'])
    const old = await stale()
    const asked = [
      await old.put(group, { storage_driver: 's3', storage_config: config }),
      await old.put('/admin/configs/groups/platform_tenant_storage', profiles),
    ]
    assert.deepEqual(asked.map(outcome), ['401 4018', '401 4018'])
  })

  it('by a migration that fails over their values shows none of them', async () => {
    const pack = (version: string, more: Readonly<Record<string, string>> = {}) => {
      const db = { tables: ['notes'], migrations: 'migrations/' }
      const manifest = { version, capabilities: ['db:own_tables'], reasons: { 'db:own_tables': 'Keeps notes.' }, db }
      const init = 'create table notes (id serial primary key, body text);'
      return packSmall('acme.notes', manifest, undefined, { 'migrations/0001_init.up.sql': init, ...more })
    }
    await installAndEnable(admin, await pack('1.0.0'))
    const table = `plg_${pluginHash8('acme.notes')}_notes`
    const { knex } = platform.host.kernel.database
    const row = { tenant_id: tenants[0]?.id, body: 'a "secret" of one' }
    await knex(table).queryContext({ tenant: 'all' }).insert(row)
    const convert = 'alter table notes alter column body type bigint using body::bigint;'
    const content = await pack('2.0.0', { 'migrations/0002_convert.up.sql': convert })
    const file = { field: 'file', name: 'a.plugin.zip', content }
    const refused = await admin.call('POST', '/admin/plugins/acme.notes/upgrade', { file })
    assert.equal(outcome(refused), '400 4009')
    assert.match(JSON.stringify(refused.body), /invalid input syntax for type bigint/)
    const { items } = dataOf(await admin.get('/admin/plugins/acme.notes/operations'))
    for (const told of [refused.body, items]) assert.doesNotMatch(JSON.stringify(told), /secret/)
  })
})
