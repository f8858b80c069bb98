import { deepEqual, equal } from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestPlugin } from '#sandbox'
import { loadPlugin } from '../../marketplace/testing.ts'
import { effectiveLimits } from '../../sandbox/effective-limits.ts'
import { formBounds } from '../../sandbox/plugin/receive-form.ts'

const ids = { mine: '019a0000-0000-7000-8000-000000000001', theirs: '019a0000-0000-7000-8000-000000000002' }
const manifest = {
  ...{ manifestVersion: 1, name: 'acme.inbox', version: '1.0.0', publisher: 'acme', license: 'MIT' },
  ...{ title: { default: 'Inbox' }, description: { default: 'Takes files' }, engines: { host: '^1.0.0' } },
  ...{ main: 'dist/index.js', scope: 'tenant', capabilities: ['attachments:read', 'attachments:write'] },
  reasons: { 'attachments:read': 'Lists them.', 'attachments:write': 'Takes them.' },
  tenant_routes: [
    { method: 'POST', path: '/files', handler: 'take', body: 'multipart' },
    { method: 'GET', path: '/files', handler: 'list' },
    { method: 'GET', path: '/files/:id', handler: 'read' },
  ],
}
const source = `
  export default {
    handlers: {
      async take({ body: { fields, files } }, ctx) {
        if (fields.keep) for (const { id } of files) await ctx.attachments.keep(id)
        if (fields.fail) throw new Error('it fails')
        return files.map(({ field, filename, size, mimeType }) => [field, filename, size, mimeType])
      },
      list: async (request, ctx) => (await ctx.attachments.list()).attachments.map(({ filename }) => filename),
      async read({ params: { id } }, ctx) {
        const found = await ctx.attachments.find(id)
        return found && [found.filename, (await ctx.attachments.read(id)).base64, found.isOwn]
      },
    },
  }`
const file = (filename: string, data: string) => ({ field: 'file', filename, data })

describe('forms and files in a test of a plugin', () => {
  let folder: string
  let plugin: TestPlugin
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'inbox-'))
    await mkdir(path.join(folder, 'dist'))
    await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest))
    await writeFile(path.join(folder, 'dist/index.js'), source)
    plugin = await loadPlugin(folder, {
      attachments: [
        { id: ids.mine, filename: 'mine.txt', data: 'mine' },
        { id: ids.theirs, filename: 'theirs.txt', data: 'theirs', ownerId: 2 },
      ],
    })
  })
  after(async () => {
    await plugin[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const send = (body: Record<string, string>, ...files: readonly ReturnType<typeof file>[]) =>
    plugin.request('POST /files', { body, files })

  it('show what the caller may read', async () => {
    deepEqual((await plugin.request('GET /files')).data, ['mine.txt'])
    deepEqual((await plugin.request(`GET /files/${ids.mine}`)).data, ['mine.txt', 'bWluZQ==', false])
    equal((await plugin.request(`GET /files/${ids.theirs}`)).data, null)
  })

  it('are kept or go, as in production', async () => {
    const { data, stack } = await send({}, file('a.txt', 'aa'), file('b.png', 'b'))
    deepEqual(
      data,
      [
        ['file', 'a.txt', 2, 'text/plain'],
        ['file', 'b.png', 1, 'image/png'],
      ],
      stack,
    )
    await send({ keep: 'yes' }, file('c.txt', 'c'))
    const failed = await send({ fail: 'yes' }, file('d.txt', 'd'))
    deepEqual(
      [failed.status, plugin.attached.map(({ filename, isKept }) => [filename, isKept])],
      [
        500,
        [
          ['a.txt', false],
          ['b.png', false],
          ['c.txt', true],
        ],
      ],
    )
  })

  it('are as many and as large as a manifest says, and never more than the platform lets them be', () => {
    const limits = effectiveLimits({ uploadFiles: 3, uploadMb: 2 })
    deepEqual(
      [formBounds({ maxFiles: 9, maxFileMb: 9 }, limits), formBounds({ maxFiles: 1, maxFileMb: 1 }, limits)],
      [
        { maxFiles: 3, maxFileBytes: 2_097_152 },
        { maxFiles: 1, maxFileBytes: 1_048_576 },
      ],
    )
  })

  it('end at their bounds: more than all files of a form may have', async () => {
    const large = file('large.txt', 'x'.repeat(15_000_000))
    const before = plugin.attached.length
    const answers = [
      await send({}, large, large),
      await send({}, file('over.txt', 'x'.repeat(20_971_521))),
      await send({}, ...Array.from({ length: 6 }, () => file('many.txt', 'x'))),
    ]
    deepEqual(
      answers.map(({ status, code }) => [status, code]),
      [
        [413, 4130],
        [413, 4130],
        [413, 4130],
      ],
    )
    equal(plugin.attached.length, before)
  })
})
