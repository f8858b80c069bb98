import { packSmall } from '../../support/small-plugin.ts'

/** Releases of one plugin that upgrades and rollbacks lead between. */
export type Variant = 'older' | 'first' | 'narrow' | 'schema' | 'wider' | 'failing'

/** The version of each. */
export const versions: Readonly<Record<Variant, string>> = {
  older: '0.9.0',
  first: '1.0.0',
  narrow: '1.1.0',
  schema: '1.2.0',
  wider: '1.3.0',
  failing: '1.4.0',
}

const admin = (method: string, path: string, handler: string) => ({ method, path, handler })
const reasons = { storage: 'Keeps files.', 'db:own_tables': 'Keeps notes.', config: 'Is configured.' }

/** The manifest of a release, without what every plugin has. */
export function manifestOfVariant(variant: Variant): object {
  const more = variant === 'wider' ? ['events'] : []
  return {
    version: versions[variant],
    capabilities: ['storage', 'db:own_tables', 'config', ...more],
    reasons: { ...reasons, ...(more.length > 0 && { events: 'Talks.' }) },
    ...(more.length > 0 && { events: { subscribe: ['kernel.tenant.created'] } }),
    db: { tables: ['notes'], migrations: 'migrations/' },
    config: [{ key: 'api_key', type: 'PASSWORD', scope: 'tenant', label: { default: 'Key' } }],
    preferences: [{ key: 'tone', title: { default: 'Tone' }, schema: { enum: ['dry', 'warm'] }, default: 'dry' }],
    admin_routes: [admin('GET', '/version', 'version'), admin('GET', '/notes', 'notes'), admin('POST', '/put', 'put')],
    hooks: { postInstall: 'fine', enable: 'fine', disable: 'fine', upgrade: 'upgrade', uninstall: 'fine' },
    ...(variant === 'schema' && { upgrade: { breakingSchema: true } }),
  }
}

/** The default export of a release. */
export function definitionOfVariant(variant: Variant): string {
  const heard = variant === 'wider' ? `events: { 'kernel.tenant.created': () => {} },` : ''
  return `{
    handlers: {
      version: () => ({ version: '${versions[variant]}' }),
      async put({ body }, { storage }, db) {
        await db.table('notes').insert({ text: body.text })
        await storage.put('note', body.text)
      },
      async notes(_, { storage }, db) {
        const rows = await db.table('notes').select().orderBy('id')
        const kept = await storage.get('note')
        return { notes: rows.map(({ text }) => text), kept: kept ? kept.base64 : null }
      },
    },
    ${heard}
    hooks: { fine() {}, upgrade() { ${variant === 'failing' ? `throw new Error('no')` : ''} } },
  }`
}

/** The files of a release beside its module. */
export function filesOfVariant(variant: Variant): Readonly<Record<string, string>> {
  return {
    'migrations/0001_init.up.sql': 'create table notes (id bigserial primary key, text text not null);',
    'migrations/0001_init.down.sql': 'drop table notes;',
    ...(variant === 'schema' && {
      'migrations/0002_more.up.sql': `alter table notes add column more text default 'new';`,
      'migrations/0002_more.down.sql': 'alter table notes drop column more;',
    }),
  }
}

const packed = new Map<string, Promise<Buffer>>()

/** Packs a release of a plugin. */
export function packVariant(name: string, variant: Variant): Promise<Buffer> {
  const key = `${name} ${variant}`
  const known =
    packed.get(key) ??
    packSmall(name, manifestOfVariant(variant), definitionOfVariant(variant), filesOfVariant(variant))
  packed.set(key, known)
  return known
}
