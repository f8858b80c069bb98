import { deepEqual, equal, rejects } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, symlink, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { GuardedFetch } from '#kernel'
import { openIndexSource, type IndexSource } from '#marketplace'
import { createAuthority, createIndexContent, packageBytes, pluginName, type IndexContent } from './index-content.ts'
import { fetchFrom, MemoryIndexCache } from './index-server.ts'
import { makeScratch } from './sample-package.ts'

const icon = Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1')

describe('an index in a folder', () => {
  const authority = createAuthority()
  let fetch: GuardedFetch
  let scratch: Awaited<ReturnType<typeof makeScratch>>
  let folder: string
  let source: IndexSource

  before(() => (fetch = fetchFrom()))
  after(() => fetch[Symbol.asyncDispose]())
  beforeEach(async () => {
    scratch = await makeScratch()
    folder = join(scratch.path, 'index')
    await write(createIndexContent({ authority, beside: { 'icon.png': icon } }))
    source = openIndexSource({ id: 'disk', url: pathToFileURL(folder).href }, { fetch, cache: new MemoryIndexCache() })
  })
  afterEach(() => scratch[Symbol.asyncDispose]())

  async function write(content: IndexContent): Promise<void> {
    for (const [path, bytes] of content) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), bytes)
    }
  }
  const inFolder = (path: string) => join(folder, 'p/ac/acme.clock', path)

  it('is listed, read and downloaded from', async () => {
    equal((await source.refresh()).failure, undefined)
    const target = join(scratch.path, 'pkg.zip')
    await source.download(pluginName, '1.0.0', target)
    deepEqual([(await source.icon(pluginName))?.bytes, await readFile(target)], [icon, packageBytes])
  })

  it('may use links inside of the folder', async () => {
    await unlink(inFolder('icon.png'))
    await writeFile(join(folder, 'shared.png'), icon)
    await symlink('../../../shared.png', inFolder('icon.png'))
    await source.refresh()
    deepEqual((await source.icon(pluginName))?.bytes, icon)
  })

  const outside: Readonly<Record<string, readonly [rule: string, place: () => Promise<void>]>> = {
    'a link to a file outside': ['link', () => symlink('/etc/hostname', inFolder('icon.png'))],
    'a link into a folder beside it that begins with its name': [
      'link',
      async () => {
        await mkdir(`${folder}-of-others`)
        await writeFile(join(`${folder}-of-others`, 'icon.png'), icon)
        await symlink('../../../../index-of-others/icon.png', inFolder('icon.png'))
      },
    ],
    'a folder that is not a file': ['not_a_file', () => mkdir(inFolder('icon.png')).then(() => undefined)],
    'a pipe': ['not_a_file', () => Promise.resolve(void execFileSync('mkfifo', [inFolder('icon.png')]))],
    'a link that leads to itself': ['not_readable', () => symlink('icon.png', inFolder('icon.png'))],
  }
  for (const [what, [rule, place]] of Object.entries(outside)) {
    it(`gives nothing for ${what}`, async () => {
      await source.refresh()
      await unlink(inFolder('icon.png'))
      await place()
      await rejects(source.icon(pluginName), { reason: 'index_unavailable', details: { source: 'disk', rule } })
    })
  }

  it('is refused with a link for its index.json', async () => {
    await unlink(join(folder, 'index.json'))
    await symlink('/etc/hostname', join(folder, 'index.json'))
    equal((await source.refresh()).failure?.details['rule'], 'link')
  })

  it('says so where there is no such folder', async () => {
    const missing = openIndexSource(
      { id: 'disk', url: 'file:///nowhere/at/all' },
      { fetch, cache: new MemoryIndexCache() },
    )
    equal((await missing.refresh()).failure?.details['rule'], 'not_readable')
  })
})
