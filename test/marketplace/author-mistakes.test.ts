import { deepEqual, ok } from 'node:assert/strict'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { inspectPlugin } from '../../marketplace/inspect/inspect-plugin.ts'
import { TypeChecker } from '../../marketplace/inspect/type-checker.ts'
import type { Mistake } from './author-mistake.ts'
import { mistakes } from './author-mistakes.ts'
import { makeScratch } from './sample-package.ts'

const template = resolve(import.meta.dirname, '../../marketplace/templates/basic')

const queries = `import type { Handler, Json } from '@stoa/plugin-sdk'

const places = { table: (name: string) => name.length }

export const tried: Handler = async (request, ctx, db) => {
  places.table('by the window')
  const mine: Readonly<Record<string, Json>> = { text: 'x' }
  const order = request.query['by'] === 'text' ? 'text' : 'id'
  await Promise.all([
    db.table('notes').select('id', 'text as said').where({ 'notes.id': 1 }).orderBy(order, 'desc').page(20, request.query['cursor']),
    db.table('notes').where((one) => one.where('id', '>', 1).whereNot(mine)).update(mine),
    db.table('notes').search(['text'], 'x', { as: 'rank' }).orderBy('rank', 'desc').orderBy('id'),
    db.table('notes').groupBy('text').count('times').having('times', '>', 1).orderBy('times'),
    db.table('notes as n').join('notes as m', 'n.id', 'm.id').where('n.id', 1).orderBy('anything'),
    db.table<{ said: string }>('notes').where('anything', 1).first(),
    db.table('notes').upsert({ id: 1, text: 'x' }, 'id').returning('id'),
    db.table('notes').insert([mine, { text: 'y' }]),
    db.table('notes').select('tenant_id as whose', 'id').where('tenant_id', 1).orderBy('tenant_id').orderBy('id'),
    db.table('notes').distinct('text as said'),
    db.table('notes').groupBy('tenant_id').count('times'),
    db.table('notes').upsert({ tenant_id: 1, id: 1, text: 'x' }, 'tenant_id', 'id').returning('tenant_id', 'id'),
  ])
  const built = db.table('notes').orderBy('id')
  if (order === 'text') built.where('text', 'x').limit(5)
  return (await built).length
}
`

const answers: Pick<Mistake, 'file' | 'to' | 'manifest'> = {
  file: 'src/answers.ts',
  to: `import type { Handler } from '@stoa/plugin-sdk'

export const tried: Handler = async ({ params }, { services }) => {
  const found = await services.call<{ name: string } | null>('acme.crm/contacts', 'find', { id: params.id })
  const answer = await fetch('https://api.acme.test/rates')
  interface Rates { rates: { code: string }[] }
  const { rates } = (await answer.clone().json()) as Rates
  const body = await answer.clone().json()
  const first = (body as Rates).rates[0]?.code ?? rates.length
  void services.call('acme.crm/contacts', 'seen')
  return { first, name: found?.name ?? '', plain: await services.call('acme.crm/contacts', 'all'), rates: await answer.json() }
}
`,
  manifest: [
    ['["db:own_tables", ', '["http", "services:use", "db:own_tables", '],
    ['"reasons": {', '"reasons": {\n    "http": "Rates.",\n    "services:use": "Contacts.",'],
    ['"path": "/notes"', '"path": "/notes/:id"'],
    [
      '  "permissions": [',
      '  "uses": { "acme.crm/contacts": "^1.0.0" },\n  "http": { "hosts": [{ "host": "api.acme.test", "reason": "Rates." }] },\n  "permissions": [',
    ],
  ],
}

describe('mistakes of authors', () => {
  let scratch: Awaited<ReturnType<typeof makeScratch>>
  let folder = ''
  let types: TypeChecker
  before(async () => {
    scratch = await makeScratch()
    folder = join(scratch.path, 'plugin')
    await cp(template, folder, { recursive: true })
    types = new TypeChecker(folder)
  })
  after(() => scratch[Symbol.asyncDispose]())

  it('are none in the template', async () => {
    deepEqual((await inspectPlugin(folder, { types, isLoaded: true, hasTests: true })).findings, [])
  })

  it('are none in files of libraries that run everywhere', async () => {
    const file = join(folder, 'ui/umd.js')
    await writeFile(
      file,
      "(function (f) { typeof exports === 'object' ? f(exports, require('lodash')) : f({}) })(() => 1)\n",
    )
    try {
      deepEqual((await inspectPlugin(folder, { types, isLoaded: false })).findings, [])
    } finally {
      await rm(file)
    }
  })

  it('are none in what a page asks for before it uses it, catches, or calls by such a name itself', async () => {
    const file = join(folder, 'ui/careful.js')
    const lines = [
      "try { localStorage.setItem('a', 'b') } catch {}",
      "const opened = typeof indexedDB !== 'undefined' && indexedDB.open('x')",
      'if (window.sessionStorage) sessionStorage.clear()',
      'const size = self.localStorage?.length ?? 0',
      'const page = { document: { cookie: opened } }',
      "page.document.cookie = window.fetch ? window.fetch('/x') : size",
      'export const load = (fetch) => fetch(page)',
    ]
    await writeFile(file, `${lines.join('\n')}\n`)
    try {
      deepEqual((await inspectPlugin(folder, { types, isLoaded: false })).findings, [])
    } finally {
      await rm(file)
    }
  })

  it('are none in what a source does with the name of a header that sets cookies, other than to set one', async () => {
    const file = join(folder, 'src/headers-read.ts')
    const lines = [
      "const hidden: Readonly<Record<string, boolean>> = { authorization: true, 'set-cookie': true }",
      "export interface Came { readonly 'set-cookie'?: string; readonly headers: { 'set-cookie': string } }",
      'export function shown(name: string, came: Came) {',
      "  const { 'set-cookie': cookie = '', headers: { 'set-cookie': other } } = came",
      '  switch (name) {',
      "    case 'set-cookie':",
      '      return hidden[name] === true ? cookie + other : name',
      '    default:',
      "      return name === 'x' ? 'set-cookie' : name",
      '  }',
      '}',
    ]
    await writeFile(file, `${lines.join('\n')}\n`)
    try {
      deepEqual((await inspectPlugin(folder, { types, isLoaded: false })).findings, [])
    } finally {
      await rm(file)
    }
  })

  it('are none in paths and names that a page puts together', async () => {
    const file = join(folder, 'ui/made.js')
    const calls = [
      "get('/notes/' + id)",
      "get('/notes/' + id + '/lines')",
      "get('/notes?' + query)",
      "can('wri' + 'te')",
    ]
    const connected = "import { connect } from '/plugin-ui/sdk/1/stoa-ui.js'\nconst page = await connect()\n"
    const undo = await make({
      ...{
        file: 'ui/made.js',
        to: `${connected}${calls.map((call) => `page.${call}\n`).join('')}page.put('/nots/' + id)\n`,
      },
      manifest: [
        [
          '"tenant_routes": [',
          '"tenant_routes": [\n    { "method": "GET", "path": "/notes/:id", "handler": "listNotes" },\n    { "method": "GET", "path": "/notes/:id/lines", "handler": "listNotes" },',
        ],
      ],
    })
    try {
      const { findings } = await inspectPlugin(folder, { types, isLoaded: false })
      const told = findings.filter((found) => join(folder, found.file) === file)
      deepEqual(
        told.map(({ line, message }) => [line, message.split('.')[0]]),
        [[7, 'No route of the manifest answers PUT /nots/*']],
      )
    } finally {
      await undo()
    }
  })

  it('are none in queries of columns that are there, of other tables, and of what an answer names, nor in tables of another kind', async () => {
    const file = join(folder, 'src/queries.ts')
    await writeFile(file, queries)
    try {
      deepEqual((await inspectPlugin(folder, { types, isLoaded: false })).findings, [])
    } finally {
      await rm(file)
    }
  })

  it('are none where answers of services and of the web are passed on as they come', async () => {
    const undo = await make(answers)
    try {
      const { findings } = await inspectPlugin(folder, { types, isLoaded: false })
      deepEqual(
        findings.filter(({ file }) => file === answers.file),
        [],
      )
    } finally {
      await undo()
    }
  })

  for (const [what, mistake] of Object.entries(mistakes))
    it(`are told with file, line and mend: ${what}`, async () => {
      const undo = await make(mistake)
      try {
        const { findings } = await inspectPlugin(folder, {
          types,
          isLoaded: mistake.isLoaded === true,
          hasTests: mistake.file.startsWith('test/'),
        })
        const [file, needle] = mistake.at
        const lines = (await readFile(join(folder, file), 'utf8')).split('\n')
        const told = findings.filter(
          ({ level, message, ...at }) =>
            level === (mistake.level ?? 'error') &&
            at.file === file &&
            lines[at.line - 1]?.includes(needle) &&
            mistake.says.test(message),
        )
        ok(told.length > 0, JSON.stringify(findings, null, 1))
      } finally {
        await undo()
      }
    })

  async function make({ manifest = [], file, from, to }: Pick<Mistake, 'file' | 'from' | 'to' | 'manifest'>) {
    const before = await readFile(join(folder, 'manifest.json'), 'utf8')
    const said = manifest.reduce((text, [from, to]) => {
      ok(text.includes(from), `manifest.json has no ${from}`)
      return text.replace(from, to)
    }, before)
    await writeFile(join(folder, 'manifest.json'), said)
    const undo = await write({ file, from, to })
    return async () => {
      await undo()
      await writeFile(join(folder, 'manifest.json'), before)
    }
  }

  async function write({ file, from, to }: Pick<Mistake, 'file' | 'to'> & { readonly from: string | undefined }) {
    const path = join(folder, file)
    const before = await readFile(path, 'utf8').catch(() => undefined)
    if (from !== undefined) ok(before?.includes(from), `${file} has no ${from}`)
    await writeFile(path, from === undefined ? to : (before ?? '').replace(from, to))
    return before === undefined ? () => rm(path) : () => writeFile(path, before)
  }
})
