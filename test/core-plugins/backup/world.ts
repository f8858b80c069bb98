import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Knex } from 'knex'
import { generateFernetKey } from '#kernel'
import type { Api } from '../../support/api.ts'
import { childEnv } from '../../support/child-env.ts'
import { checkout } from '../../support/host-process.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const run = promisify(execFile)
const program = path.join(checkout, 'core-plugins', 'backup-command.ts')
const route = (method: string, path: string, handler: string) => ({ method, path, handler })
const mine = '/tenant/plugins/acme.books'

/** How a command ended. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A platform with a plugin that has tables, files and a sealed setting. */
export interface BackupWorld extends AsyncDisposable {
  readonly platform: Platform
  readonly admin: Api
  readonly owner: Api
  readonly tenantId: number
  /** Below it tests put what they need. */
  readonly folder: string
  /** The variables of a host of this platform. */
  readonly env: Readonly<Record<string, string>>
  /** Runs a command as this platform's operator. */
  command(name: string, args: readonly string[], more?: Readonly<Record<string, string>>): Promise<Ended>
}

/** Makes the secrets of an operator. */
export function newSecrets() {
  return {
    APP_SECRET: randomBytes(32).toString('base64url'),
    JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    CONFIG_FERNET_KEYS: generateFernetKey(),
  }
}

/** Starts it, with an entry and a file. */
export async function setupBackupWorld(more: Readonly<Record<string, string>> = {}): Promise<BackupWorld> {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'stoa-backup-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const secrets = newSecrets()
  const platform = started.use(await startPlatform({ env: { ...secrets, ...more } }))
  const { admin, host } = platform
  const { owner, id: tenantId } = await createTenant(admin, 'acme')
  await installAndEnable(admin, await packBooks())
  dataOf(await admin.post('/admin/plugins/acme.books/tenants', { tenant_ids: [tenantId] }))
  dataOf(await owner.post(`${mine}/enable`))
  dataOf(await owner.put(`${mine}/config`, { api_key: 'sealed and kept' }))
  await write(owner, 'the first')
  await putFile(owner, 'first.txt', 'the content of the first')
  const env = { ...secrets, ...more, DATABASE_URL: host.databaseUrl, DATA_DIR: host.dataDir }
  const stack = started.move()
  return {
    ...{ platform, admin, owner, tenantId, folder, env },
    command: (name, args, over = {}) => runBackup(name, args, { ...env, ...over }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Runs a command to its end, in a process of its own. */
export async function runBackup(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  try {
    const options = { env: { ...childEnv, ...env }, maxBuffer: 10_000_000 }
    const { stdout, stderr } = await run(process.execPath, [program, name, ...args], options)
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}

/** Writes an entry into the plugin's table. */
export async function write(owner: Api, text: string): Promise<void> {
  dataOf(await owner.post(`${mine}/api/entries`, { text }))
}

/** What the plugin says: its entries and its sealed setting. */
export async function read(owner: Api): Promise<{ readonly texts: readonly string[]; readonly key: string }> {
  return dataOf(await owner.get(`${mine}/api/entries`)) as unknown as { texts: readonly string[]; key: string }
}

/** Stores a file of the plugin. */
export async function putFile(owner: Api, key: string, text: string): Promise<void> {
  dataOf(await owner.put(`${mine}/api/files/${key}`, { text }))
}

/** The text of a file of the plugin, or null. */
export async function getFile(owner: Api, key: string): Promise<string | null> {
  const { base64 } = dataOf(await owner.get(`${mine}/api/files/${key}`)) as unknown as { base64: string | null }
  return base64 === null ? null : Buffer.from(base64, 'base64').toString()
}

/** How many rows each table has, without those that count time or hosts. */
export async function countRows(knex: Knex): Promise<Readonly<Record<string, number>>> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of rows) {
    const counted = await knex
      .raw<{ rows: { rows: string }[] }>('select count(*) as rows from ??', [name])
      .queryContext({ tenant: 'all' })
    counts[name] = Number(counted.rows[0]?.rows)
  }
  return counts
}

function packBooks(): Promise<Buffer> {
  return packSmall(
    'acme.books',
    {
      capabilities: ['storage', 'db:own_tables', 'config'],
      reasons: { storage: 'Keeps files.', 'db:own_tables': 'Keeps books.', config: 'Is configured.' },
      db: { tables: ['entries'], migrations: 'migrations/' },
      config: [{ key: 'api_key', type: 'PASSWORD', scope: 'tenant', label: { default: 'Key' } }],
      tenant_routes: [
        ...[route('POST', '/entries', 'write'), route('GET', '/entries', 'read')],
        ...[route('PUT', '/files/:key', 'put'), route('GET', '/files/:key', 'get')],
      ],
    },
    `{ handlers: {
      async write({ body }, _, db) { await db.table('entries').insert({ text: body.text }); return {} },
      async read(_, { config }, db) {
        const rows = await db.table('entries').orderBy('id').limit(1000)
        return { texts: rows.map(({ text }) => text), key: await config.get('api_key') }
      },
      async put({ params, body }, { storage }) { await storage.put(params.key, body.text); return {} },
      async get({ params }, { storage }) {
        const found = await storage.get(params.key)
        return { base64: found ? found.base64 : null }
      },
    } }`,
    {
      'migrations/0001_init.up.sql': 'create table entries (id bigserial primary key, text text not null);',
      'migrations/0001_init.down.sql': 'drop table entries;',
    },
  )
}
