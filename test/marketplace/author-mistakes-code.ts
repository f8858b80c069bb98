import type { Mistake } from './author-mistake.ts'

const manifest = 'manifest.json'
const notes = 'src/notes.ts'

function inNotes(line: string, says: RegExp): Mistake {
  const to = `import type { Handler } from '@stoa/plugin-sdk'\nexport const tried: Handler = async (request, ctx, db) => {\n  ${line}\n}\n`
  return { file: 'src/tried.ts', to, at: ['src/tried.ts', line], says }
}

/** Code that does not fit the manifest, the tables or itself. */
export const codeMistakes: Readonly<Record<string, Mistake>> = {
  'an answer that sets a cookie': inNotes(
    "return { status: 200, headers: { 'Set-Cookie': 'a=b' }, body: {} }",
    /sets a cookie.*content-type/,
  ),
  'headers that set a cookie now and then': inNotes(
    "const headers = { ...(request.body !== null && { ['Set-Cookie']: 'a=b' }) }; return { status: 200, headers }",
    /sets a cookie/,
  ),
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
}
