// @any-back-end
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Knex } from 'knex'
import { createSecretBox, generateFernetKey, openDatabase, rotateSecrets } from '#kernel'
import { childEnv } from '../../support/child-env.ts'
import { configReader } from '../../../core-plugins/config/contract.ts'
import { presentRotation } from '../../../core-plugins/config/rotation/present-rotation.ts'
import { corePlugins } from '../../../core-plugins/index.ts'
import { objectStorage } from '../../../core-plugins/storage/contract.ts'
import { createTestDatabase, type TestDatabase } from '../../support/cluster.ts'
import { checkout } from '../../support/host-process.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { startS3Server, type S3Server } from '../../support/s3-server.ts'
import { findSecrets, opensWith } from '../../support/sealed-columns.ts'
import { enrolFactor, factorTokenOf } from '../../support/second-factor.ts'
import { setGroup } from '../../support/storage-world.ts'
import { until } from '../../support/until.ts'

const run = promisify(execFile)
const command = path.join(checkout, 'core-plugins', 'config-rekey.ts')
const [old, fresh] = [generateFernetKey(), generateFernetKey()]
const shared = { APP_SECRET: randomBytes(32).toString('base64url'), JWT_KEYS: `k1:${randomBytes(32).toString('hex')}` }
const login = { tenant_code: 'acme', account: 'owner@acme.test', password: 'a long enough passphrase' }
const again = { headers: { 'idempotency-key': 'once' } }
const guest = { email: 'guest@acme.test', roles: ['tenant_user'] }
const places = [
  'auth_sessions.successor',
  'idempotency_keys.answer',
  'jobs.payload',
  'mail_delivery_changes.former',
  'plugin_site_keys.private_key',
  'storage_volumes.config',
  'system_config_change_requests.after',
  'system_config_values.value',
  'user_second_factors.secret',
]
/** Enough that a rotation takes longer than it takes to kill it. */
const many = 4000

describe('npm run config:rekey', () => {
  let database: TestDatabase
  let s3: S3Server

  before(async () => {
    database = await createTestDatabase(migratedFor(corePlugins, silentLog))
    s3 = await startS3Server()
  })
  after(async () => {
    await s3[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  const start = (...keys: readonly string[]): Promise<Platform> => {
    const env = { ...shared, CONFIG_FERNET_KEYS: keys.join(','), EGRESS_ALLOW_PRIVATE: `localhost:${s3.port}` }
    return startPlatform({ databaseUrl: database.url, env })
  }
  const envOf = (...keys: readonly string[]) => ({
    ...{ ...shared, ...childEnv, DATABASE_URL: database.url },
    CONFIG_FERNET_KEYS: keys.join(','),
  })

  it('goes through everything that is sealed, also after it was killed on the way; then the old key may go', async () => {
    const made = await start(old).then(sealEverything)
    await using watch = await openDatabase({ url: database.url, poolSize: 1, log: silentLog })
    const child = spawn(process.execPath, [command], { env: envOf(fresh, old), stdio: 'ignore' })
    const ended = once(child, 'exit')
    await until(() => opens(fresh, 'asc', watch.knex), 60_000)
    child.kill('SIGKILL')
    assert.deepEqual(await ended, [null, 'SIGKILL'])
    assert.ok(await opens(old, 'desc', watch.knex), 'it had ended before it was killed')
    const { stdout } = await run(process.execPath, [command], { env: envOf(fresh, old) })
    const found = await findSecrets(watch.knex)
    assert.deepEqual([...new Set(found.map(({ table, column }) => `${table}.${column}`))].sort(), places)
    assert.deepEqual(
      found.filter(({ token }) => !opensWith(fresh, token)),
      [],
    )
    assert.match(stdout, /^system_config_values\.value: \d+ resealed, \d+ current, 0 unreadable\.$/m)
    assert.match(stdout, /^Key 2 of CONFIG_FERNET_KEYS is no longer needed\.$/m)
    await using platform = await start(fresh)
    await assertOpens(platform, made)
  })

  it('says what no key of the ring opens, and which key a host still seals under', async () => {
    await using watch = await openDatabase({ url: database.url, poolSize: 1, log: silentLog })
    const sealedBy = (key: string): string => createSecretBox({ fernetKeys: [key], appSecret: '' }).seal('x')
    await watch.knex.raw('create temporary table notes (id int primary key, texts jsonb)')
    const texts = { lost: sealedBy(generateFernetKey()), old: [sealedBy(old), sealedBy(fresh)], open: 'gAAAA' }
    await watch.knex('notes').insert({ id: 1, texts: JSON.stringify(texts) })
    const [fernetKeys, columns] = [[fresh, old], [{ table: 'notes', column: 'texts' }]]
    const rotation = await rotateSecrets({ db: watch.knex, fernetKeys, columns })
    assert.deepEqual(presentRotation(rotation), {
      lines: [
        'notes.texts: 1 resealed, 1 current, 1 unreadable.',
        'The key of what is unreadable is missing from CONFIG_FERNET_KEYS.',
        'Key 2 of CONFIG_FERNET_KEYS is no longer needed.',
        'Backups that were made before need the keys of their day.',
      ],
      isComplete: false,
    })
    const [, key] = presentRotation({ columns: [], opened: [5, 2] }).lines
    assert.match(key ?? '', /^Key 2 of CONFIG_FERNET_KEYS still opens 2: a host seals under it\./)
  })

  /** A secret of every kind there is. */
  async function sealEverything(started: Platform) {
    await using platform = started
    const { admin, host } = platform
    const mail = { mail_driver: 'smtp', smtp_host: 'localhost', smtp_port: 1, mail_from: 'stoa@stoa.test' }
    await setGroup(admin, 'platform_mail', { ...mail, smtp_password: 'of the mail' })
    await setGroup(admin, 'platform_storage', { storage_driver: 's3', storage_config: s3.config() })
    await host.kernel.services.get(objectStorage).open('files', 0).put('k', Buffer.from('kept'))
    const { owner } = await createTenant(admin, 'acme')
    const signedIn = dataOf(await host.api.post('/auth/login/json', login))
    dataOf(await host.api.post('/auth/refresh', { refresh_token: signedIn['refresh_token'] }))
    const invitation = dataOf(await owner.post('/tenant/users/invites', guest, again), 201)
    const factor = await enrolFactor(owner)
    await setGroup(admin, 'platform_tenant_policy', { tenant_config_approval: 'all' })
    await setGroup(admin, 'platform_tenant_storage', { tenant_storage_mode: 'self_managed' })
    const wanted = { driver: 's3', config: s3.config(), skip_test: true }
    dataOf(await owner.put('/tenant/configs/storage', wanted), 202)
    await fill(host.kernel.database.knex)
    return { owner, invitation, factor }
  }

  async function assertOpens(platform: Platform, made: Awaited<ReturnType<typeof sealEverything>>): Promise<void> {
    const { admin, host } = platform
    const { services } = host.kernel
    assert.equal(await services.get(configReader).get('smtp_password'), 'of the mail')
    assert.equal((await services.get(objectStorage).open('files', 0).stat('k'))?.size, 4)
    const repeated = await made.owner.at(host.url).post('/tenant/users/invites', guest, again)
    assert.deepEqual([repeated.headers['idempotent-replayed'], repeated.body['data']], ['true', made.invitation])
    const token = factorTokenOf(await host.api.post('/auth/login/json', login))
    const answer = { mfa_token: token, method: 'totp', code: made.factor.code(0) }
    dataOf(await host.api.post('/auth/mfa/verify', answer))
    dataOf(await admin.post('/admin/configs/changes/1/approve', {}))
  }

  /** Values of many tenants under the old key. */
  async function fill(db: Knex): Promise<void> {
    const box = createSecretBox({ fernetKeys: [old], appSecret: '' })
    const { id } = await db('system_configs').where({ key: 'smtp_password' }).first<{ readonly id: number }>('id')
    const tenants = Array.from({ length: many }, (_, index) => 1000 + index)
    const values = tenants.map((tenant) => JSON.stringify(box.seal(`secret ${tenant}`)))
    const insert = 'insert into system_config_values (config_id, tenant_id, value)'
    await db
      .raw(`${insert} select ?, * from unnest(?::int[], ?::text[])`, [id, tenants, values])
      .queryContext({ tenant: 'all' })
  }

  /** Whether this key opens the first or the last of the values. */
  async function opens(key: string, end: 'asc' | 'desc', db: Knex): Promise<boolean> {
    const query = db('system_config_values').where('tenant_id', '>=', 1000).orderBy('id', end).first('value')
    const row = (await query.queryContext({ tenant: 'all' })) as { readonly value: string } | undefined
    return opensWith(key, String(JSON.parse(row?.value ?? '""')))
  }
})
