import { dataOf, type Platform } from '../../support/platform.ts'
import { packSmall } from '../../support/small-plugin.ts'

/** Every type of column whose values are easily changed on their way. */
const tables = `
create table parents (id bigserial primary key, name text not null);
create table children (
  id serial primary key, parent bigint references parents (id), other integer references children (id),
  amount numeric(20, 6), ratio double precision, big bigint, flag boolean,
  bytes bytea, facts jsonb, raw json, tags text[], at timestamptz, day date, span interval, label char(5), code uuid
);`

const more = `alter table children add column note text default 'new';
create table extras (id serial primary key, text text not null);`
const less = 'drop table extras; alter table children drop column note;'

const definition = (version: string) => `{ handlers: {
  version: () => ({ version: '${version}' }),
  async put({ params, body }, { storage }) { await storage.put(params.key, body.text); return {} },
  async get({ params }, { storage }) {
    const found = await storage.get(params.key)
    return { base64: found && found.base64 }
  },
} }`

/** What a release of the plugin of these tests is like. */
export interface Variant {
  readonly version: string
  /** Whether it has the second migration, and whether that can be taken back. */
  readonly schema?: 'first' | 'second' | 'one-way'
  readonly manifest?: object
}

/** Packs a release of the plugin `acme.ledger`. */
export function packLedger({ version, schema = 'first', manifest = {} }: Variant): Promise<Buffer> {
  const route = (method: string, path: string, handler: string) => ({ method, path, handler })
  return packSmall(
    'acme.ledger',
    {
      version,
      capabilities: ['storage', 'db:own_tables', 'config'],
      reasons: { storage: 'Keeps files.', 'db:own_tables': 'Keeps books.', config: 'Is configured.' },
      db: {
        tables: schema === 'first' ? ['children', 'parents'] : ['children', 'extras', 'parents'],
        migrations: 'migrations/',
      },
      config: [{ key: 'api_key', type: 'PASSWORD', scope: 'tenant', label: { default: 'Key' } }],
      preferences: [{ key: 'tone', title: { default: 'Tone' }, schema: { enum: ['dry', 'warm'] }, default: 'dry' }],
      admin_routes: [route('GET', '/version', 'version')],
      tenant_routes: [route('PUT', '/files/:key', 'put'), route('GET', '/files/:key', 'get')],
      ...manifest,
    },
    definition(version),
    {
      'migrations/0001_init.up.sql': tables,
      'migrations/0001_init.down.sql': 'drop table children; drop table parents;',
      ...(schema !== 'first' && { 'migrations/0002_more.up.sql': more }),
      ...(schema === 'second' && { 'migrations/0002_more.down.sql': less }),
    },
  )
}

/** Upgrades the plugin, with consent to all it asks for beyond what it has. */
export async function upgrade({ admin }: Platform, zip: Buffer): Promise<void> {
  const plugin = '/admin/plugins/acme.ledger'
  const file = { field: 'file', name: 'a.plugin.zip', content: zip }
  const { consent } = dataOf(await admin.call('POST', `${plugin}/upgrade`, { file }))
  if (!consent) return
  const { release_hash, diff_hash } = consent
  dataOf(await admin.post(`${plugin}/consent`, { accept: true, release_hash, diff_hash }))
}

/** Every row of a plugin's tables as text, and where their counters are. */
export async function dump({ host }: Platform): Promise<Record<string, unknown>> {
  const { knex } = host.kernel.database
  const names = await knex('pg_tables')
    .whereLike('tablename', 'plg\\_%')
    .orderBy('tablename')
    .pluck<string[]>('tablename')
  const all: Record<string, unknown> = {}
  for (const name of names) {
    const { rows } = await knex
      .raw<{ rows: { row: string }[] }>('select t::text as row from ?? t order by 1', [name])
      .queryContext({ tenant: 'all' })
    all[name] = rows.map(({ row }) => row)
  }
  const { rows } = await knex.raw<{ rows: object[] }>(
    `select sequencename, last_value from pg_sequences where sequencename like 'plg\\_%' order by 1`,
  )
  return { ...all, sequences: rows }
}
