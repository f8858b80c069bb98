import { randomBytes } from 'node:crypto'
import type { SmallRelease } from '../core-plugins/plugin-index/world.ts'

const kilobyte = 1_024
const tableNames = ['books', 'pages', 'readers']
const routes = [
  { method: 'POST', path: '/echo', handler: 'echo', permission: 'use' },
  { method: 'GET', path: '/books', handler: 'books', permission: 'use' },
]

/** What a plugin of a megabyte is made of: 400 kB of bundled code, a page with pictures, texts in two languages, three tables. */
export function realisticRelease(version: string): SmallRelease {
  return {
    manifest: {
      version,
      description: { default: 'As large as plugins are', 'zh-CN': '与常见插件一样大' },
      capabilities: ['db:own_tables', 'ui', 'storage'],
      reasons: { 'db:own_tables': 'Keeps books.', ui: 'Shows them.', storage: 'Keeps pictures.' },
      storage: { quotaMb: 10, maxObjectMb: 1 },
      db: { tables: tableNames, migrations: 'migrations/' },
      permissions: [{ code: 'use', title: { default: 'Use it', 'zh-CN': '使用' } }],
      tenant_routes: routes,
      locales: ['default', 'zh-CN'],
      slots: [{ slot: 'page', id: 'main', title: { default: 'Books' }, entry: 'ui/page.html' }],
    },
    definition: `{ handlers: {
      echo: ({ body }) => ({ echoed: body.text, length: body.text.length }),
      books: async (request, ctx, db) => ({ books: await db.table('books').limit(20).select() }),
    } }\n${filler(400 * kilobyte)}`,
    files: {
      'ui/page.html': '<!doctype html><title>Books</title><script src="page.js"></script><main></main>',
      'ui/page.js': filler(600 * kilobyte),
      // What does not compress, as pictures: most of the zip.
      'ui/pictures.txt': randomBytes(860 * kilobyte * 0.75).toString('base64'),
      'locales/zh-CN.json': texts('文字'),
      'locales/default.json': texts('A line'),
      'README.md': '# Books\n\nKeeps books.\n',
      'CHANGELOG.md': `## ${version}\n\nAs before.\n`,
      ...migrationsUpTo(version),
    },
  }
}

/** The first makes three tables; each minor version adds a column. */
function migrationsUpTo(version: string): Record<string, string> {
  const minor = Number(version.split('.')[1])
  const tables = tableNames.map(
    (table) => `create table ${table} (id bigserial primary key, title text not null, at timestamptz default now());
      create index ${table}_by_title on ${table} (title);`,
  )
  const drops = tableNames.map((table) => `drop table ${table};`)
  const files: Record<string, string> = {
    'migrations/0001_init.up.sql': tables.join('\n'),
    'migrations/0001_init.down.sql': drops.join('\n'),
  }
  for (let number = 1; number <= minor; number++) {
    const prefix = `migrations/${String(number + 1).padStart(4, '0')}_more`
    files[`${prefix}.up.sql`] = `alter table books add column more_${number} text;`
    files[`${prefix}.down.sql`] = `alter table books drop column more_${number};`
  }
  return files
}

/** Code that is parsed and never runs. */
function filler(bytes: number): string {
  const lines: string[] = []
  for (let size = 0; size < bytes; size += lines.at(-1)?.length ?? bytes) {
    const name = `part${lines.length}`
    const words = randomBytes(24).toString('hex')
    lines.push(
      `function ${name}(list) { return list.filter((each) => each.name !== '${words}').map(({ id }) => id) }\n`,
    )
  }
  return lines.join('')
}

function texts(words: string): string {
  const entries = Array.from({ length: 300 }, (_, at) => [`text_${at}`, `${words} ${at}`])
  return JSON.stringify(Object.fromEntries(entries))
}
