import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stoa } from './run-stoa.ts'
import { makeIndexWorkshop, type IndexWorkshop } from './index-workshop.ts'

interface Refusal {
  readonly message: string
  readonly findings: readonly { readonly level: string; readonly rule: string; readonly message: string }[]
}

/** What is refused: the manifest's differences, the key, the code, and the rule that speaks against it. */
const refused: readonly (readonly [why: string, changes: object, key: string | null, rule: string, code?: string])[] = [
  ['no signature', { version: '1.1.0' }, null, 'unsigned'],
  ['the key of another publisher', { version: '1.1.0' }, 'other-1', 'signature'],
  ['a key that nobody registered', { version: '1.1.0' }, 'stranger', 'signature'],
  ['a revoked key', { version: '1.1.0' }, 'lost', 'key_revoked'],
  ['a publisher that is not registered', { name: 'new.sample', publisher: 'new' }, 'acme-1', 'publisher_unknown'],
  ['a version that is published', { version: '1.0.0' }, 'acme-1', 'version_taken'],
  ['a version older than the last', { version: '0.9.0' }, 'acme-1', 'version_not_newer'],
  ['code that does not evaluate', { version: '1.1.0' }, 'acme-1', 'load', 'null.nothing; export default {}'],
  [
    'a route without its handler',
    { version: '1.1.0', tenant_routes: [{ method: 'GET', path: '/a', handler: 'absent' }] },
    'acme-1',
    'load',
  ],
]

describe('publishing into an index', () => {
  let workshop: IndexWorkshop

  before(async () => {
    workshop = await makeIndexWorkshop()
    for (const kid of ['stranger', 'lost']) await workshop.run('keygen', kid)
    await workshop.run('index', 'add-publisher', 'acme', 'lost.pub.json', '--index', 'index')
    await workshop.run('index', 'revoke', '--key', 'lost', '--reason', 'It was lost', '--index', 'index')
    const { exitCode } = await workshop.run('publish', await workshop.pack({}), '--index', 'index')
    equal(exitCode, 0)
  })

  after(async () => {
    await workshop[Symbol.asyncDispose]()
  })

  for (const [why, changes, key, rule, code] of refused) {
    it(`refuses ${why}, and writes nothing`, async () => {
      const zip = await workshop.pack({ ...changes }, key, code)
      const before = await workshop.readIndex()
      const { exitCode, json } = await workshop.run('publish', zip, '--index', 'index')
      equal(exitCode, 1)
      const { findings } = json as Refusal
      deepEqual(
        findings.map((finding) => [finding.level, finding.rule]),
        [['error', rule]],
      )
      deepEqual(await workshop.readIndex(), before)
    })
  }

  it('refuses a name that a reader takes for another publisher’s', async () => {
    await workshop.run('keygen', 'acrne-1')
    await workshop.run('index', 'add-publisher', 'acrne', 'acrne-1.pub.json', '--index', 'index')
    const zip = await workshop.pack({ name: 'acrne.sample', publisher: 'acrne' }, 'acrne-1')
    const { json } = await workshop.run('publish', zip, '--index', 'index')
    deepEqual(
      (json as Refusal).findings.map(({ rule }) => rule),
      ['name_confusable'],
    )
  })

  it('refuses what is no package and what is no index', async () => {
    await writeFile(join(workshop.path, 'text.zip'), 'no zip')
    const noPackage = await workshop.run('publish', 'text.zip', '--index', 'index')
    deepEqual([noPackage.exitCode, (noPackage.json as { reason: string }).reason], [1, 'package_invalid'])
    const noIndex = await stoa(workshop.path, 'publish', 'text.zip', '--index', '.')
    deepEqual([noIndex.exitCode, noIndex.stdout], [1, ''])
    ok(noIndex.stderr.includes('stoa index init'), noIndex.stderr)
  })

  it('writes nothing in a dry run, and in a real one only below the plugin', async () => {
    const zip = await workshop.pack({ version: '1.2.0', capabilities: ['notify'], reasons: { notify: 'Tells.' } })
    const before = await workshop.readIndex()
    const dry = await workshop.run('publish', zip, '--index', 'index', '--dry-run')
    equal(dry.exitCode, 0)
    deepEqual(await workshop.readIndex(), before)
    const { json } = await workshop.run('publish', zip, '--index', 'index')
    const { files, comparison } = json as { files: string[]; comparison: { change: string; added: object[] } }
    deepEqual(files, (dry.json as { files: string[] }).files)
    deepEqual(
      [comparison.change, comparison.added],
      ['wider', [{ kind: 'capability', detail: 'notify', reason: 'Tells.' }]],
    )
    const after = await workshop.readIndex()
    const changed = Object.keys(after).filter((path) => after[path] !== before[path])
    deepEqual(changed.sort(), files.filter((path) => before[path] === undefined || path.endsWith('plugin.json')).sort())
  })

  it('goes on with an older line and a prerelease beside the newest, and keeps what the newest says', async () => {
    const title = { default: 'Other' }
    for (const version of ['1.0.1', '2.0.0-beta.1']) {
      const zip = await workshop.pack({ version, title })
      equal((await workshop.run('publish', zip, '--index', 'index')).exitCode, 0)
    }
    const file = JSON.parse(await readFile(join(workshop.index, 'p/ac/acme.sample/plugin.json'), 'utf8')) as {
      title: object
      versions: { version: string }[]
    }
    deepEqual(file.title, { default: 'Sample' })
    deepEqual(
      file.versions.map(({ version }) => version),
      ['2.0.0-beta.1', '1.2.0', '1.0.1', '1.0.0'],
    )
  })

  it('names a package that lies elsewhere by its address alone', async () => {
    const zip = await workshop.pack({ name: 'acme.far' })
    const url = 'https://downloads.example.com/acme.far-1.0.0.plugin.zip'
    const { json } = await workshop.run('publish', zip, '--index', 'index', '--url', url)
    deepEqual((json as { files: string[] }).files, ['p/ac/acme.far/README.md', 'p/ac/acme.far/plugin.json'])
    const file = await readFile(join(workshop.index, 'p/ac/acme.far/plugin.json'), 'utf8')
    ok(file.includes(url), file)
  })

  it('verifies a package against the index that lists it, and not against one that does not', async () => {
    const zip = join('index', 'p/ac/acme.sample/releases/acme.sample-1.2.0.plugin.zip')
    const listed = await workshop.run('verify', zip, '--index', 'index')
    deepEqual([listed.exitCode, (listed.json as { level: string }).level], [0, 'verified'])
    const known = await workshop.run('verify', zip, '--publishers', 'index/publishers.json')
    equal(known.exitCode, 0)
    const strange = await workshop.run('verify', await workshop.pack({ version: '3.0.0' }), '--index', 'index')
    deepEqual([strange.exitCode, (strange.json as { details: object }).details], [1, { rule: 'index' }])
  })
})
