import type { Mistake } from './author-mistake.ts'

type Edit = readonly [from: string, to: string]

/** What a manifest says for a section with its capability. */
function asking(capability: string, section = ''): readonly Edit[] {
  return [
    ['["db:own_tables", ', `["${capability}", "db:own_tables", `],
    ['"reasons": {', `"reasons": {\n    "${capability}": "Needs it.",`],
    ...(section === '' ? [] : [['  "permissions": [', `  ${section},\n  "permissions": [`] as const]),
  ]
}

function tried(line: string, says: RegExp, manifest: readonly Edit[] = []): Mistake {
  const to = `import type { Handler } from '@stoa/plugin-sdk'\nexport const tried: Handler = async (request, ctx, db) => {\n  ${line}\n}\n`
  return { file: 'src/tried.ts', to, at: ['src/tried.ts', line], says, manifest }
}

function inScript(from: string, to: string, says: RegExp, manifest: readonly Edit[] = []): Mistake {
  return { file: 'ui/page.js', from, to, at: ['ui/page.js', to], says, manifest }
}

const jobs = asking('jobs', '"jobs": [{ "name": "import", "handler": "addNote" }]')
const mail = asking(
  'mail',
  '"mail": { "templates": [{ "name": "due", "values": ["days"], "subject": { "default": "Due in {{days}}" }, "body": { "default": "Pay" } }] }',
)
const uses = asking('services:use', '"uses": { "acme.crm/contacts": "^1.0.0" }')
const parameter: Edit = ['"path": "/notes"', '"path": "/notes/:id"']
const hosts = asking('http', '"http": { "hosts": [{ "host": "api.acme.test", "reason": "Rates." }] }')

/** Names of the manifest that sources and pages get wrong. */
export const nameMistakes: Readonly<Record<string, Mistake>> = {
  'a job that is not declared': tried(
    "await ctx.jobs.enqueue('imprt', {})",
    /no job imprt\. Did you mean import\?/,
    jobs,
  ),
  'a job whose name is made up': tried(
    "const job = 'imprt' as const; await ctx.jobs.enqueue(job)",
    /"imprt".*"import"/,
    jobs,
  ),
  'a template that is not declared': tried(
    "await ctx.mail.send({ template: 'deu', to: 'owner', values: { days: 1 } })",
    /no template deu\. Did you mean due\?/,
    mail,
  ),
  'a value that a template does not have': tried(
    "await ctx.mail.send({ template: 'due', to: 'owner', values: { day: 1 } })",
    /'day'/,
    mail,
  ),
  'a service that is not declared': tried(
    "await ctx.services.call<string>('acme.crm/contact', 'find', {})",
    /no service acme\.crm\/contact\. Did you mean acme\.crm\/contacts\?/,
    uses,
  ),
  'a capability that is asked after in vain': tried("return ctx.can('notfy')", /"notfy"/, asking('notify')),
  'a link to a page that is not there': tried(
    "await ctx.notify.send({ userId: 1, title: 'x', link: '/note?id=1' })",
    /no slot note\. Did you mean notes\?/,
    asking('notify'),
  ),
  'a parameter of no path': tried('return request.params.nid', /'nid'/, [parameter]),
  'a host with another port': tried(
    "await ctx.http.fetch({ url: 'http://api.acme.test/rates' })",
    /port 80: add it to the ports .* or write https/,
    hosts,
  ),
  'a query that nobody awaits': tried("db.table('notes').insert({ text: 'x' })", /write await before it/),
  'a query in a variable that writes, which nobody awaits': tried(
    "const notes = db.table('notes'); notes.where('id', 1).delete()",
    /write await before it/,
  ),
  'a condition of a query that nobody keeps': tried("db.table('notes').where('id', 1)", /write await before it/),
  'a call that nobody awaits': tried("ctx.cache.set('a', 1)", /write await before it/),
  'a setting that is not there yet': tried("return Number(ctx.config.get('page_size'))", /promise, not yet its value/),
  'a promise in a text': tried("return `${ctx.config.get('page_size')} notes`", /promise, not yet its value/),
  'a page that asks a route that is not there': inScript(
    "stoa.get('/notes')",
    "stoa.get('/note')",
    /No route of the manifest answers GET \/note\. Did you mean \/notes\?/,
  ),
  'a page that asks a route in another way': inScript("stoa.post('/notes'", "stoa.put('/notes'", /has GET, POST there/),
  'a page that asks for a permission in vain': inScript(
    "stoa.can('write')",
    "stoa.can('writ')",
    /Did you mean write\?/,
  ),
  'a page that keeps a preference that is not there': inScript(
    'stoa.ready()',
    "await stoa.preferences.set({ layuot: 'list' })",
    /no preference layuot\. Did you mean layout\?/,
    [
      [
        '  "permissions": [',
        '  "preferences": [{ "key": "layout", "title": { "default": "Layout" }, "schema": { "type": "string" }, "default": "list" }],\n  "permissions": [',
      ],
    ],
  ),
  'a page that waits for an event that never comes': inScript(
    'stoa.ready()',
    "stoa.on('event', ({ type }) => type === 'acme.example.note.aded' && show())",
    /no event acme\.example\.note\.aded\. Did you mean acme\.example\.note\.added\?/,
    asking('events', '"events": { "publish": ["acme.example.note.added"], "subscribe": [] }'),
  ),
}
