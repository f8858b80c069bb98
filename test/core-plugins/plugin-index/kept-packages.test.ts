import assert from 'node:assert/strict'
import { readdir, rename, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { pluginFolder } from '../../../marketplace/index-format/index-entry.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { TestIndex } from './world.ts'

const name = 'acme.tried'
const at = `/admin/plugins/${name}`

describe('a package that was brought to say what it would do', () => {
  let platform: Platform
  let index: TestIndex

  before(async () => {
    index = await TestIndex.create()
    for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0']) await index.publish(name, { manifest: { version } })
    await index.build()
    platform = await startPlatform()
    const url = pathToFileURL(index.directory).href
    dataOf(await platform.admin.post('/plugins/sources', { id: 'main', name: 'Main', url }), 201)
    dataOf(await platform.admin.post('/plugins/sources/main/refresh'))
    dataOf(await platform.admin.post('/plugins/install', { name, version: '1.0.0' }), 201)
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await index[Symbol.asyncDispose]()
  })

  const kept = () => path.join(platform.host.dataDir, 'cache', 'offers')
  const upgrade = (version: string, query = '') => platform.admin.post(`${at}/upgrade${query}`, { version })
  const tryOut = async (version: string) => dataOf(await upgrade(version, '?dry_run=true'))
  const zipOf = (version: string) =>
    path.join(index.directory, pluginFolder(name), 'releases', `${name}-${version}.plugin.zip`)
  /** Whether it can be had without its source. */
  async function withoutItsSource(version: string) {
    await rename(zipOf(version), `${zipOf(version)}.away`)
    try {
      return await upgrade(version)
    } finally {
      await rename(`${zipOf(version)}.away`, zipOf(version))
    }
  }

  it('is not brought a second time by the upgrade that follows', async () => {
    assert.equal((await tryOut('1.1.0'))['to'], '1.1.0')
    assert.equal(dataOf(await withoutItsSource('1.1.0'))['version'], '1.1.0')
  })

  it('is brought again where it was changed meanwhile: it is its bytes that count', async () => {
    await tryOut('1.2.0')
    for (const file of await readdir(kept())) await writeFile(path.join(kept(), file), 'other bytes')
    assert.equal(refusalOf(await withoutItsSource('1.2.0')).status, 502)
    assert.equal(dataOf(await platform.admin.get(at))['version'], '1.1.0')
    await tryOut('1.2.0')
    for (const file of await readdir(kept())) await writeFile(path.join(kept(), file), 'other bytes')
    assert.equal(dataOf(await upgrade('1.2.0'))['version'], '1.2.0')
  })

  it('is not kept for long', async () => {
    await tryOut('1.3.0')
    const old = new Date(Date.now() - 16 * 60_000)
    for (const file of await readdir(kept())) await utimes(path.join(kept(), file), old, old)
    assert.equal(refusalOf(await withoutItsSource('1.3.0')).status, 502)
    await tryOut('1.3.0')
    assert.equal((await readdir(kept())).length, 1)
  })
})
