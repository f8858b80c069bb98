import { deepEqual } from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspectPlugin } from '../../marketplace/inspect/inspect-plugin.ts'
import { sampleManifest } from './sample-package.ts'

const capabilities = ['attachments:read', 'attachments:write', 'db:own_tables', 'jobs', 'storage', 'users:read_basic']
const manifest = sampleManifest({
  capabilities,
  reasons: Object.fromEntries(capabilities.map((name) => [name, 'It is needed.'])),
  storage: { quotaMb: 1 },
  db: { tables: ['notes'], migrations: 'migrations/' },
  jobs: [{ name: 'import', handler: 'importRows' }],
  tenant_routes: [
    { method: 'POST', path: '/files', handler: 'open', body: 'multipart' },
    ...['job', 'user', 'files', 'objects', 'edit'].map((handler) => ({ method: 'GET', path: `/${handler}`, handler })),
  ],
})
const source = (more: string): string => `import { definePlugin } from '@stoa/plugin-sdk'
import type { JobHandler, PluginRequest, ReceivedForm } from '@stoa/plugin-sdk'

const importRows: JobHandler<{ file: string }, number> = async ({ input, state }, ctx) => {
  const at = (state ?? 0) + 1
  const { base64 } = await ctx.attachments.read(input.file, { offset: at })
  return base64 === '' ? { imported: at } : { next: at }
}
const edit: { title?: string | undefined } = {}

export default definePlugin({
  jobs: { importRows },
  handlers: {
    async open({ body: { fields, files } }: PluginRequest<ReceivedForm>, ctx, db) {
      for (const { id } of files) await ctx.attachments.keep(id)
      return db.table('notes').insert({ title: fields['title'] })
    },
    job: async (_, ctx) => ctx.jobs.find('a'),
    user: async (_, ctx) => ({ user: await ctx.users.get(1), ...(await ctx.users.list()) }),
    files: async (_, ctx) => ctx.attachments.list(),
    objects: async (_, ctx) => ctx.storage.list(),
    edit: async (_, ctx, db) => db.table('notes').where('id', 1).update(edit),
    ${more}
  },
})
`

describe('types of a plugin that does as the README shows', () => {
  let folder = ''

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stoa-typed-'))
    for (const part of ['src', 'migrations']) await mkdir(join(folder, part))
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
    const up = 'create table notes (id serial primary key, title varchar(200));\n'
    await writeFile(join(folder, 'migrations/0001_init.up.sql'), up)
    await writeFile(join(folder, 'migrations/0001_init.down.sql'), 'drop table notes;\n')
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const faults = async (more: string): Promise<readonly string[]> => {
    await writeFile(join(folder, 'src/index.ts'), source(more))
    const { findings } = await inspectPlugin(folder, { isLoaded: false, hasTests: true })
    return findings.filter(({ level }) => level === 'error').map(({ line, message }) => `${line} ${message}`)
  }

  it('takes jobs, forms, answers of the platform, and changes that are left out', async () => {
    deepEqual(await faults(''), [])
  })

  it('refuses conditions that are left out', async () => {
    const found = await faults(`all: async (_, __, db) => db.table('notes').where(edit).delete(),`)
    deepEqual(
      found.map((fault) => fault.split(' ')[0]),
      ['23'],
    )
  })
})
