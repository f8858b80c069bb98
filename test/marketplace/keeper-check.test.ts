import { deepEqual, equal, ok } from 'node:assert/strict'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stoa } from './run-stoa.ts'
import { makeIndexWorkshop, type IndexWorkshop } from './index-workshop.ts'

interface Check {
  readonly valid: boolean
  readonly findings: readonly { readonly level: string; readonly rule: string }[]
  readonly releases: readonly { readonly name: string; readonly version: string }[]
}

const folder = 'p/ac/acme.sample'
const plugin = `${folder}/plugin.json`
const zipFile = `${folder}/releases/acme.sample-1.0.0.plugin.zip`

type Change = (path: string) => Promise<void>

const edit =
  (file: string, replace: (text: string) => string): Change =>
  async (path) => {
    const text = await readFile(join(path, file), 'utf8')
    const changed = replace(text)
    ok(changed !== text, `${file} is another than the test takes it for`)
    await writeFile(join(path, file), changed)
  }

/** What a pull request does to an index, and what the check says of it. */
const changes: readonly (readonly [what: string, change: Change, findings: readonly string[]])[] = [
  [
    'an address of its package',
    edit(plugin, (text) => text.replace('releases/', 'elsewhere/')),
    ['error version_changed'],
  ],
  [
    'the hash of its package',
    edit(plugin, (text) => text.replace(/"sha256": "[0-9a-f]{8}/, '"sha256": "00000000')),
    ['error version_changed'],
  ],
  [
    'a capability in its entry',
    edit(plugin, (text) => text.replace('"capabilities": []', '"capabilities": ["http"]')),
    ['error version_changed'],
  ],
  ['the bytes of a package', (path) => writeFile(join(path, zipFile), 'other bytes'), ['error package_changed']],
  ['a package away', (path) => rm(join(path, zipFile)), ['error package_missing']],
  ['the plugin away', (path) => rm(join(path, folder), { recursive: true }), ['error version_removed']],
  [
    'a key of a publisher',
    edit('publishers.json', (text) => text.replace('"kid": "acme-1"', '"kid": "acme-2"')),
    ['warning publisher_keys'],
  ],
  [
    'the level of a publisher',
    edit('publishers.json', (text) => text.replace('"community"', '"official"')),
    ['warning publisher_level'],
  ],
  [
    'the homepage of a publisher',
    edit('publishers.json', (text) =>
      text.replace('"level": "community"', '"homepage": "https://other.test/", "level": "community"'),
    ),
    ['warning publisher_about'],
  ],
  [
    'a publisher away',
    edit('publishers.json', (text) => text.replace('"other":', '"others":')),
    ['warning publisher_removed', 'warning publisher_added'],
  ],
  ['a form', edit(plugin, (text) => text.replace('"name":', '"nom":')), ['error form']],
  [
    'a file into one that gives a key twice',
    edit('revocations.json', (text) => text.replace('"keys":', '"keys": [], "keys":')),
    ['error form'],
  ],
  [
    'a folder to another name',
    (path) => cp(join(path, folder), join(path, 'p/ac/acme.samples'), { recursive: true }),
    ['error form'],
  ],
  [
    'the signature of the index',
    edit('index.json.sig', (text) => text.replace('"kid": "index-1"', '"kid": "index-9"')),
    ['error index_signature'],
  ],
]

describe('checking an index', () => {
  let workshop: IndexWorkshop

  before(async () => {
    workshop = await makeIndexWorkshop()
    equal((await workshop.run('publish', await workshop.pack({}), '--index', 'index')).exitCode, 0)
    equal((await workshop.run('index', 'build', 'index', '--key', 'index.index-1.key.json')).exitCode, 0)
  })

  after(async () => {
    await workshop[Symbol.asyncDispose]()
  })

  const check = async (change: Change, ...more: readonly string[]): Promise<Check> => {
    const head = join(workshop.path, 'head')
    await rm(head, { recursive: true, force: true })
    await cp(workshop.index, head, { recursive: true })
    await change(head)
    return (await workshop.run('index', 'check', 'head', ...more)).json as Check
  }
  const worded = ({ findings }: Check): readonly string[] =>
    findings.filter(({ level }) => level !== 'info').map(({ level, rule }) => `${level} ${rule}`)

  for (const [what, change, findings] of changes) {
    it(`sees who changes ${what}`, async () => {
      const found = await check(change, '--base', 'index')
      deepEqual(worded(found), findings)
      equal(found.valid, !findings.some((finding) => finding.startsWith('error')))
    })
  }

  it('opens nothing that is published already, and writes reviews of nothing else', async () => {
    const before = await workshop.readIndex()
    const { json } = await workshop.run('index', 'check', 'index', '--base', 'index')
    deepEqual((json as Check).releases, [])
    deepEqual(await workshop.readIndex(), before)
  })

  it('opens everything where there is no base: a package with other bytes is no release', async () => {
    const other = await workshop.pack({}, 'acme-1', 'export default { handlers: { other: () => 1 } }')
    const found = await check((path) => cp(other, join(path, zipFile)))
    deepEqual(worded(found), ['error entry_differs'])
    const missing = await check((path) => rm(join(path, zipFile)))
    deepEqual(worded(missing), ['error package_missing'])
    const broken = await check((path) => writeFile(join(path, zipFile), 'no zip'))
    deepEqual(worded(broken), ['error package'])
  })

  it('reviews a new release once, and comments on what it may do that the last one could not', async () => {
    const head = join(workshop.path, 'head')
    await check(() => Promise.resolve())
    const wider = { capabilities: ['notify'], reasons: { notify: 'Tells [you](https://evil.test) <b>' } }
    const code = 'export default { handlers: { a: (_, ctx) => ctx.notify.send({}) } }'
    const zip = await workshop.pack({ version: '1.1.0', ...wider }, 'acme-1', code)
    equal((await workshop.run('publish', zip, '--index', 'head')).exitCode, 0)
    const first = await stoa(workshop.path, 'index', 'check', 'head', '--base', 'index', '--markdown')
    equal(first.exitCode, 0, first.stdout)
    ok(
      first.stdout.includes('| + | capability | notify | Tells \\[you\\]\\(https://evil.test\\) &lt;b\\> |'),
      first.stdout,
    )
    ok(/1\\?\.1\\?\.0 asks for more rights/.test(first.stdout), first.stdout)
    const review = await readFile(join(head, folder, 'review/1.1.0.json'), 'utf8')
    deepEqual((JSON.parse(review) as { findings: object[] }).findings, [])
    await workshop.run('index', 'check', 'head', '--base', 'index')
    equal(await readFile(join(head, folder, 'review/1.1.0.json'), 'utf8'), review)
  })

  it('says that an index was not built since it changed, and that it expired', async () => {
    await workshop.run('index', 'init', 'old', '--created', '2020-01-01', '--expires-days', '1')
    await workshop.run('index', 'add-publisher', 'acme', 'acme-1.pub.json', '--index', 'old')
    const { json, exitCode } = await workshop.run('index', 'check', 'old')
    equal(exitCode, 0)
    deepEqual(
      (json as Check).findings.map(({ level, rule }) => `${level} ${rule}`),
      ['warning expired', 'info not_built'],
    )
  })
})
