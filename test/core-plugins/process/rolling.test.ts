// @both-back-ends
import assert from 'node:assert/strict'
import { Api } from '../../support/api.ts'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { createTenant, dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { credentials, migrationLock, startRollingWorld, type RollingWorld } from './rolling-world.ts'

const patience = 200_000
const plugin = '/tenant/plugins/acme.notes'
const notes = `${plugin}/api/notes`

const manifest = {
  capabilities: ['db:own_tables'],
  reasons: { 'db:own_tables': 'Keeps notes.' },
  db: { tables: ['notes'], migrations: 'migrations/' },
  tenant_routes: [
    { method: 'POST', path: '/notes', handler: 'add' },
    { method: 'GET', path: '/notes', handler: 'count' },
  ],
}
const handlers = `{ handlers: {
  async add({ body }, ctx, db) { await db.table('notes').insert({ text: body.text }); return {} },
  async count(request, ctx, db) { return { count: await db.table('notes').count() } },
} }`
const files = { 'migrations/0001_init.up.sql': 'create table notes (id bigserial primary key, text text not null);' }

describe('two versions of the platform on one database', () => {
  itOnRedis('serve side by side: the older goes on while the newer one migrates, and drains', async () => {
    await using world = await startRollingWorld()
    await using older = await world.startOlder('older')
    const anonymous = new Api(older.url)
    const signedIn = dataOf(await anonymous.post('/admin/auth/login/json', credentials))
    const admin = anonymous.as(signedIn['access_token'])
    const { owner, id } = await createTenant(admin, 'acme')
    await installAndEnable(admin, await packSmall('acme.notes', manifest, handlers, files))
    dataOf(await admin.post('/admin/plugins/acme.notes/tenants', { tenant_ids: [id] }))
    dataOf(await owner.post(`${plugin}/enable`))
    const load = startLoad(owner)

    await using held = await holdMigration(world)
    await using newer = world.startNewer()
    await until(() => isWaiting(world, 'advisory'), patience)
    await load.goesOn()
    await held.disposeAsync()
    const there = owner.at(await newer.url)
    await load.goesOn()

    const refused = await world.refuseOlder('late')
    const words =
      'The database belongs to a newer version of Stoa: this one does not know the migration 001-things.ts of of_the_future. Start that version, or a later one\n'
    assert.deepEqual(refused, [words, 1])
    await load.goesOn()

    await settingsAndPluginsReach(admin, owner, there)
    assert.deepEqual(await mottoes(world), ['none'])

    // A call that is in flight when the older host is told to go: its statement waits for a lock of ours.
    const table = await load.end(world)
    const trx = await world.database.knex.transaction()
    await trx.raw(`lock table ${table} in exclusive mode`)
    const last = owner.post(notes, { text: 'last' })
    await until(() => isWaiting(world, 'relation'), patience)
    const stopped = older.stop()
    await until(async () => (await owner.get('/auth/me').catch(() => undefined)) === undefined, patience)
    await trx.rollback()
    assert.deepEqual([(await last).status, await stopped], [200, 0])
    assert.equal(dataOf(await there.get(notes))['count'], load.acknowledged + 1)
    dataOf(await there.post(notes, { text: 'after' }))
    assert.deepEqual(load.failed, [])
  })
})

/** What is written at either host holds on both: users, ended sessions, and what runs. */
async function settingsAndPluginsReach(admin: Api, owner: Api, there: Api): Promise<void> {
  const person = { email: 'ann@acme.test', password: 'a phrase of her own' }
  dataOf(await owner.post('/tenant/users', { ...person, roles: ['tenant_user'] }), 201)
  const login = { tenant_code: 'acme', account: person.email, password: person.password }
  const ann = there.as(dataOf(await there.post('/auth/login/json', login))['access_token'])
  dataOf(await ann.at(owner.url).get('/auth/me'))
  assert.equal((await ann.post('/auth/logout')).status, 200)
  await until(async () => (await ann.at(owner.url).get('/auth/me')).status === 401, patience)
  const { items } = dataOf(await admin.get('/admin/hosts?alive=true')) as unknown as {
    items: { plugins: { name: string }[] }[]
  }
  assert.deepEqual(
    items.map(({ plugins }) => plugins.map(({ name }) => name)),
    [['acme.notes'], ['acme.notes']],
  )
}

/** Writes at a host, one after the other, until it is told to end. */
function startLoad(owner: Api) {
  const failed: string[] = []
  let acknowledged = 0
  let isOver = false
  const done = (async () => {
    while (!isOver) {
      const { status, body } = await owner.post(notes, { text: 'under way' })
      if (status === 200) acknowledged++
      else failed.push(`${status} ${JSON.stringify(body)}`)
      const me = await owner.get('/auth/me')
      if (me.status !== 200) failed.push(`${me.status} ${JSON.stringify(me.body)}`)
    }
  })()
  return {
    failed,
    get acknowledged() {
      return acknowledged
    },
    /** Resolves after some more writes. */
    async goesOn(): Promise<void> {
      const enough = acknowledged + 5
      await until(() => acknowledged >= enough || failed.length > 0, patience)
      assert.deepEqual(failed, [])
    },
    /** Resolves with the name of the table that was written to. */
    async end({ database }: RollingWorld): Promise<string> {
      isOver = true
      await done
      const { rows } = await database.knex.raw<{ rows: { name: string }[] }>(
        `select table_schema || '.' || table_name as name from information_schema.tables
          where table_name like 'plg\\_%\\_notes' and table_type = 'BASE TABLE'`,
      )
      return rows[0]?.name ?? assert.fail('the plugin has no table')
    },
  }
}

/** Keeps the newer version's migration from ending. */
async function holdMigration({ database }: RollingWorld): Promise<AsyncDisposableStack> {
  const held = new AsyncDisposableStack()
  const trx = await database.knex.transaction()
  held.defer(async () => void (await trx.rollback()))
  await trx.raw(`select pg_advisory_xact_lock(${migrationLock})`)
  return held
}

async function isWaiting({ database }: RollingWorld, locktype: 'advisory' | 'relation'): Promise<boolean> {
  const { rows } = await database.knex.raw<{ rows: object[] }>(
    `select 1 from pg_locks where locktype = ? and not granted
      and database = (select oid from pg_database where datname = current_database())`,
    [locktype],
  )
  return rows.length > 0
}

async function mottoes({ database }: RollingWorld): Promise<readonly string[]> {
  return database.knex('users').queryContext({ tenant: 'all' }).distinct('motto').orderBy('motto').pluck('motto')
}
