import type { Mistake } from './author-mistake.ts'
import { jsonMistakes } from './author-mistakes-json.ts'
import { nameMistakes } from './author-mistakes-names.ts'
import { pageMistakes } from './author-mistakes-pages.ts'
import { routineMistakes } from './author-mistakes-routine.ts'

const manifest = 'manifest.json'
const notes = 'src/notes.ts'
const sql = 'migrations/0001_init.up.sql'

function inManifest(from: string, to: string, line: string, says: RegExp): Mistake {
  return { file: manifest, from, to, at: [manifest, line], says }
}

function inNotes(line: string, says: RegExp): Mistake {
  const to = `import type { Handler } from '@stoa/plugin-sdk'\nexport const tried: Handler = async (request, ctx, db) => {\n  ${line}\n}\n`
  return { file: 'src/tried.ts', to, at: ['src/tried.ts', line], says }
}

function inSql(from: string, to: string, line: string, says: RegExp): Mistake {
  return { file: sql, from, to, at: [sql, line], says }
}

/** What authors get wrong in their first days, by what they did. */
export const mistakes: Readonly<Record<string, Mistake>> = {
  ...jsonMistakes,
  'an answer that sets a cookie': inNotes(
    "return { status: 200, headers: { 'Set-Cookie': 'a=b' }, body: {} }",
    /sets a cookie.*content-type/,
  ),
  'headers that set a cookie now and then': inNotes(
    "const headers = { ...(request.body !== null && { ['Set-Cookie']: 'a=b' }) }; return { status: 200, headers }",
    /sets a cookie/,
  ),
  'an icon that is not there': {
    ...inManifest('"license": "MIT",', '"license": "MIT",\n  "icon": "icon.png",', '"icon"', /no file icon\.png/),
    isLoaded: true,
  },
  'a key twice': inManifest(
    '"scope": "tenant",\n  "cap',
    '"scope": "tenant",\n  "scope": "tenant",\n  "cap',
    '"scope"',
    /twice|given|dupl/i,
  ),
  'a field that is not known': inManifest('"license"', '"licence"', '"licence"', /no such field/),
  'no version': inManifest('  "version": "0.1.0",\n', '', '{', /version: .*required/),
  'a version that is none': inManifest('"0.1.0"', '"0.1"', '"version"', /version/),
  'a name of another publisher': inManifest('"publisher": "acme"', '"publisher": "other"', '"publisher"', /publisher/),
  'a scope that is not known': inManifest(
    '"scope": "tenant",\n  "cap',
    '"scope": "tenants",\n  "cap',
    '"tenants"',
    /"tenant"/,
  ),
  'a capability that is not known': inManifest('["db:own_tables"', '["database"', '"capabilities"', /capabilities/),
  'a capability without a reason': inManifest(
    '    "config": "Lets you say how many notes are shown.",\n',
    '',
    '"reasons"',
    /reason/,
  ),
  'a section without its capability': inManifest(
    '"db:own_tables", "config", "ui"',
    '"db:own_tables", "ui"',
    '"config"',
    /config/,
  ),
  'a route without a handler': inManifest('"handler": "listNotes", ', '', '"path": "/notes"', /handler/),
  'a method that is not known': inManifest(
    '"method": "GET", "path": "/notes"',
    '"method": "FETCH", "path": "/notes"',
    '"FETCH"',
    /method/,
  ),
  'a path without a slash': inManifest('"path": "/hello"', '"path": "hello"', '"path": "hello"', /path/),
  'two routes of one path': inManifest(
    '"method": "POST",\n      "path": "/notes"',
    '"method": "GET",\n      "path": "/notes"',
    '{',
    /tenant_routes\.1/,
  ),
  'a permission that is not there': inManifest(
    '"permission": "read", "summary"',
    '"permission": "reed", "summary"',
    '"reed"',
    /reed|permission/,
  ),
  'a public route that does not say so': inManifest('      "auth": "none",\n', '', '{', /auth/),
  'a body that is too large': inManifest('"maxBodyKb": 16', '"maxBodyKb": 999999', '"maxBodyKb"', /maxBodyKb/),
  'a slot that is not known': inManifest('"slot": "page"', '"slot": "window"', '"window"', /slot/),
  'a page outside ui': inManifest('"ui/page.html"', '"page.html"', '"page.html"', /entry/),
  'a page that is not there': {
    ...inManifest('"ui/page.html"', '"ui/pages.html"', '"ui/pages.html"', /no file ui\/pages\.html/),
    isLoaded: true,
  },
  'a menu entry of no slot': inManifest('"slot": "notes", "area"', '"slot": "note", "area"', '"slot": "note"', /menu/),
  'a language without texts': {
    ...inManifest('"locales": ["default", "zh-CN"]', '"locales": ["default", "zh-CN", "fr"]', '"fr"', /fr/),
    isLoaded: true,
  },
  'a README that is not there': inManifest(
    '"default": "README.md"',
    '"default": "READ.md"',
    '"READ.md"',
    /READ\.md|readme/i,
  ),
  'a setting of no type': inManifest('"type": "NUMBER"', '"type": "INTEGER"', '"INTEGER"', /type/),
  'a default that breaks its rule': inManifest('"default": 20', '"default": 2000', '"default": 2000', /default/),
  'a default of another type': inManifest('"default": 20', '"default": "20"', '"default": "20"', /default/),
  'an event of another plugin': inManifest(
    '"db": {',
    '"events": { "publish": ["other.app.x"] },\n  "db": {',
    '"other.app.x"',
    /publish|events/,
  ),
  'an event of the platform that is not there': inManifest(
    '"db": {',
    '"events": { "subscribe": ["kernel.user.creatd"] },\n  "db": {',
    '"kernel.user.creatd"',
    /kernel/,
  ),
  'a schedule at no time': inManifest(
    '"db": {',
    '"schedules": [{ "id": "n", "cron": "61 * * * *", "handler": "night" }],\n  "db": {',
    '"61 * * * *"',
    /cron|schedule/,
  ),
  'a host that is an address': inManifest(
    '"db": {',
    '"http": { "hosts": [{ "host": "10.0.0.1" }] },\n  "db": {',
    '"10.0.0.1"',
    /host/,
  ),
  'tables that no migration makes': {
    ...inManifest('"tables": ["notes"]', '"tables": ["notes", "tags"]', '"tags"', /tags/),
    isLoaded: true,
  },
  'a handler that is not there': {
    ...inManifest('"handler": "listNotes"', '"handler": "listNote"', '"listNote"', /no handler "listNote".*Write it/),
    isLoaded: true,
  },
  'a type that is not there': inSql('varchar(1000)', 'string', 'string', /expected a type/),
  'a statement beyond the subset': inSql('create table', 'create temporary table', 'create', /expected/),
  'a function in a default': inSql('default now()', 'default pg_sleep(1)', 'pg_sleep', /expected/),
  'a comma before the end': inSql('default now()\n', 'default now(),\n', ')', /expected/),
  'a default of another type than its column': {
    ...inSql(
      'not null,\n',
      "not null default 1,\n  pages integer default 'many',\n",
      'create table',
      /PostgreSQL says: invalid input syntax/,
    ),
    isLoaded: true,
  },
  'an index of a column that is not there': {
    ...inSql(
      ');\n',
      ');\n\ncreate index by_title on notes (title);\n',
      'by_title',
      /PostgreSQL says: column "title" does not exist/,
    ),
    isLoaded: true,
  },
  'a way back that does not lead back': {
    file: 'migrations/0001_init.down.sql',
    from: 'drop',
    to: 'alter table notes drop column title;\ndrop',
    at: ['migrations/0001_init.down.sql', 'alter table'],
    says: /PostgreSQL says: column "title" of relation "notes" does not exist/,
    isLoaded: true,
  },
  'a reference to no table': inSql('not null,\n', 'not null references users (id),\n', 'references', /table/),
  'a name of no number': {
    file: 'migrations/init.up.sql',
    to: 'drop table notes;\n',
    at: ['migrations/init.up.sql', 'drop'],
    says: /0001_init/,
  },
  'a number twice': {
    file: 'migrations/0001_other.up.sql',
    to: 'drop table notes;\n',
    at: ['migrations/0001_other.up.sql', 'drop'],
    says: /a number of its own/,
  },
  'a way back that leads elsewhere': {
    file: 'migrations/0001_init.down.sql',
    to: 'delete from notes;\n',
    at: ['migrations/0001_init.down.sql', 'delete'],
    says: /tables before it/,
    isLoaded: true,
  },
  'texts that are nested': {
    file: 'locales/zh-CN.json',
    to: '{ "hello": { "a": "b" } }\n',
    at: ['locales/zh-CN.json', '{'],
    says: /flat|depth|deep/,
    isLoaded: true,
  },
  'a table that is not there': inNotes("await db.table('note')", /no table note\. Did you mean notes\?/),
  'a setting that is not there': inNotes("await ctx.config.get('pagesize')", /Did you mean page_size\?/),
  'a text that is not there': inNotes("ctx.t('helo')", /Did you mean hello\?/),
  'an event that is not declared': inNotes(
    "await ctx.events.publish('acme.example.done', 1)",
    /events\.publish of the manifest has none/,
  ),
  'a permission that is asked for in vain': inNotes("ctx.user?.permissions.includes('writ')", /Did you mean write\?/),
  'a text for a number': inNotes("const n: number = 'text'", /not assignable/),
  'a setting of another type': inNotes("const size: string = await ctx.config.get('page_size')", /number.*string/),
  'a column of another type': inNotes("const text: number = (await db.table('notes').first())!.text", /string.*number/),
  'a condition on a column that is not there': inNotes(
    "await db.table('notes').where('titel', 'x')",
    /^Argument .*"titel".*not assignable.*"text"/,
  ),
  'conditions on columns that are not there': inNotes(
    "await db.table('notes').where({ titel: 'x' })",
    /^Object literal .*'titel' does not exist.*"text"/,
  ),
  'an order by a column that is not there': inNotes("await db.table('notes').orderBy('titel')", /"titel".*"text"/),
  'a value for a column that is not there': inNotes(
    "await db.table('notes').insert({ titel: 'x' })",
    /^Object literal .*'titel' does not exist.*"text"/,
  ),
  'a change of a column that is not there': inNotes("await db.table('notes').update({ titel: 'x' })", /titel.*"text"/),
  'a column that is not there': inNotes("void (await db.table('notes').first())?.titel", /titel/),
  'a member of ctx that is not there': inNotes('await ctx.database.query()', /database/),
  'a capability that is not asked for': inNotes(
    "await ctx.http.fetch({ url: 'https://a.example.com/' })",
    /http is used and not asked for/,
  ),
  'a host that is not listed': inNotes(
    "await ctx.http.fetch({ url: 'https://b.example.com/' })",
    /b\.example\.com is not among http\.hosts|http is used/,
  ),
  'a module of Node': {
    file: notes,
    from: 'import { PluginError',
    to: "import 'node:fs'\nimport { PluginError",
    at: [notes, 'node:fs'],
    says: /Node/,
  },
  'a module that is not there': {
    file: notes,
    from: 'import { PluginError',
    to: "import 'left-padding'\nimport { PluginError",
    at: [notes, 'left-padding'],
    says: /left-padding/,
  },
  'a file that is not there': {
    file: notes,
    from: 'import { PluginError',
    to: "import './absent.ts'\nimport { PluginError",
    at: [notes, './absent.ts'],
    says: /absent/,
  },
  'an export that is not there': {
    file: 'src/index.ts',
    from: 'addNote, listNotes',
    to: 'addNotes as addNote, listNotes',
    at: ['src/index.ts', 'addNotes'],
    says: /addNotes/,
  },
  'a brace that is not closed': {
    file: notes,
    from: 'return { items',
    to: 'return {{ items',
    at: [notes, 'return {{'],
    says: /./,
  },
  'an error when it is loaded': {
    file: 'src/index.ts',
    from: 'export default',
    to: "if (Date.now() > 0) throw new Error('no luck')\nexport default",
    at: ['src/index.ts', 'no luck'],
    says: /no luck/,
    isLoaded: true,
  },
  'a loop when it is loaded': {
    file: 'src/index.ts',
    from: 'export default',
    to: 'for (;;);\nexport default',
    at: [manifest, '{'],
    says: /limit of cpu|too long/,
    isLoaded: true,
  },
  'no default export': {
    file: 'src/index.ts',
    from: 'export default',
    to: 'export const plugin =',
    at: [manifest, ''],
    says: /default|export|no handler/,
    isLoaded: true,
  },
  ...pageMistakes,
  ...nameMistakes,
  ...routineMistakes,
}
