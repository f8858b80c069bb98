import assert from 'node:assert/strict'
import { glob, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { publish, readBuild, readBuilds } from '../../../core-plugins/console/build/dist-folder.ts'
import { consoleFolders } from '../../../core-plugins/console/build/folders.ts'
import { nameOfBuild } from '../../../core-plugins/console/build/inputs.ts'
import { AssetTable } from '../../../core-plugins/console/serving/asset-table.ts'
import { Builder } from '../../../core-plugins/console/serving/builder.ts'
import { ConsolePage } from '../../../core-plugins/console/serving/page.ts'
import { silentLog } from '../../support/kernel.ts'
import { until } from '../../support/until.ts'

describe('a build of the console', () => {
  let folder: string
  let dist: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stoa-console-'))
    dist = path.join(folder, 'dist')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is named after its sources and the versions of its packages, and after nothing else', async () => {
    const web = path.join(folder, 'web')
    const lock = path.join(folder, 'lock.json')
    await mkdir(path.join(web, 'pages'), { recursive: true })
    const write = (text: string, vue: string, other: string) =>
      Promise.all([
        writeFile(path.join(web, 'pages', 'A.vue'), text),
        writeFile(
          lock,
          JSON.stringify({ packages: { 'node_modules/vue': { version: vue }, 'node_modules/pg': { version: other } } }),
        ),
      ])
    const names: string[] = []
    for (const [text, vue, other] of [
      ['a', '1', '1'],
      ['a', '1', '2'],
      ['b', '1', '1'],
      ['a', '2', '1'],
      ['a', '1', '1'],
    ] as const) {
      await write(text, vue, other)
      names.push(await nameOfBuild({ web, lock }))
    }
    const [first, samePackages, otherText, otherVue, again] = names
    assert.deepEqual([samePackages, again], [first, first])
    assert.equal(new Set([first, otherText, otherVue]).size, 3)
  })

  it('is named after every package that its sources load, and those that these load', async () => {
    const web = path.join(folder, 'web')
    const lock = path.join(folder, 'lock.json')
    await mkdir(web)
    const nameWith = async (name: string, version: string) => {
      await writeFile(lock, JSON.stringify({ packages: { [`node_modules/${name}`]: { version } } }))
      return nameOfBuild({ web, lock })
    }
    const loaded = [...(await packagesOf(consoleFolders.web)), 'linkify-it', 'mdurl', 'entities', 'uc.micro']
    assert.ok(loaded.length > 20)
    const left: string[] = []
    for (const name of loaded) if ((await nameWith(name, '1')) === (await nameWith(name, '2'))) left.push(name)
    assert.deepEqual(left, [])
  })

  it('11: keeps the assets of the two builds before it, and lets go of older ones', async () => {
    for (const build of ['one', 'two', 'three', 'four']) await publish(await make(build), dist, recordOf(build))
    assert.deepEqual(
      (await readBuilds(dist)).map(({ build }) => build),
      ['four', 'three', 'two'],
    )
    assert.deepEqual(await readdir(path.join(dist, 'assets')), ['four.js', 'three.js', 'two.js'])
    const table = new AssetTable(dist)
    const found = await Promise.all(['one', 'two', 'four'].map((build) => table.find(`assets/${build}.js`)))
    assert.deepEqual(
      found.map((asset) => asset !== undefined),
      [false, true, true],
    )
    assert.equal(String(await (await table.find('index.html'))?.content('identity')), 'four')
  })

  it('11: what was built by hand beside a running platform is found whole: the page, its tag, and the assets that it names', async () => {
    await publish(await make('one'), dist, recordOf('one'))
    const table = new AssetTable(dist)
    const before = await table.find('index.html')
    assert.equal(String(await before?.content('identity')), 'one')
    await publish(await make('two'), dist, recordOf('two'))
    await until(async () => (await table.record())?.build === 'two')
    const after = await table.find('index.html')
    assert.equal(String(await after?.content('identity')), 'two')
    assert.notEqual(after?.etag('identity'), before?.etag('identity'))
    const assets = await Promise.all(['one', 'two'].map((build) => table.find(`assets/${build}.js`)))
    assert.ok(assets.every((asset) => asset !== undefined))
  })

  it('3: says that it is being built where there is none, and in production what to run', async () => {
    const asked: string[] = []
    const config = { get: () => Promise.resolve(false as never) }
    const answerOf = async (absence: 'building' | 'production') => {
      const builder = { absence, bringUpToDate: () => Promise.resolve(void asked.push(absence)) }
      const storage = { of: () => Promise.resolve([]) }
      const parts = { assets: new AssetTable(dist), builder, config, publicUrl: 'http://localhost', storage }
      const page = new ConsolePage(parts)
      return page.answer({ header: () => undefined, isFresh: () => false, authority: 'localhost' })
    }
    const [building, production] = [await answerOf('building'), await answerOf('production')]
    assert.deepEqual([building.status, building.headers['retry-after'], asked], [503, '3', ['building']])
    assert.match(textOf(building), /being built[\s\S]+正在构建/)
    assert.match(textOf(production), /npm run build/)
  })

  it('5: leaves the platform running where the sources have a fault, and says what to run', async () => {
    const web = path.join(folder, 'web')
    await mkdir(web)
    await writeFile(path.join(web, 'index.html'), 'none')
    const folders = { web, lock: path.join(folder, 'no-lock.json'), dist }
    using builder = new Builder({ folders, assets: new AssetTable(dist), env: { production: false }, log: silentLog })
    await builder.bringUpToDate()
    assert.deepEqual([builder.absence, await readBuild(dist)], ['failed', undefined])
  })

  it('is nothing that the platform waits for: its name is known in a moment', async () => {
    await nameOfBuild(consoleFolders)
    const { user } = process.cpuUsage()
    await nameOfBuild(consoleFolders)
    assert.ok(process.cpuUsage().user - user < 500_000)
  })

  async function make(build: string): Promise<string> {
    const next = path.join(folder, `next-${build}`)
    await mkdir(path.join(next, 'assets'), { recursive: true })
    await Promise.all([
      writeFile(path.join(next, 'index.html'), build),
      writeFile(path.join(next, 'assets', `${build}.js`), build),
    ])
    return next
  }
})

/** What the sources load by name. */
async function packagesOf(web: string): Promise<readonly string[]> {
  const files = await Array.fromAsync(glob('**/*.{ts,vue}', { cwd: web }))
  const texts = await Promise.all(files.map((file) => readFile(path.join(web, file), 'utf8')))
  const named = texts.flatMap((text) => [
    ...text.matchAll(/(?:\bfrom |\bimport\()'((?:@[\w-]+\/)?[\w.-]+)(?:\/[^']*)?'/g),
  ])
  return [...new Set(named.map(([, name = '']) => name))].filter((name) => !name.startsWith('.'))
}

function recordOf(build: string) {
  const file = { size: build.length, sha256: build.padEnd(64, '0') }
  return { build, version: '1.0.0', files: { 'index.html': file, [`assets/${build}.js`]: file } }
}

function textOf({ body }: { readonly body: unknown }): string {
  return String((body as { content: unknown }).content)
}
