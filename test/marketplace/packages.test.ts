import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, cp, readFile, readdir, utimes, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { openPackage, packPlugin, treeHash } from '#marketplace'
import { refusalOf } from './package-refusal.ts'
import { program } from './run-stoa.ts'
import { makeScratch, sampleEntries } from './sample-package.ts'
import { buildZip, type ForgedEntry } from './zip-builder.ts'

const guestbook = join(import.meta.dirname, '../fixtures/plugins/guestbook')

describe('packing a plugin', () => {
  it('makes the same bytes from the same sources, wherever they lie', async () => {
    await using scratch = await makeScratch()
    const copy = join(scratch.path, 'some/where/else')
    await cp(guestbook, copy, { recursive: true })
    const one = await packPlugin(guestbook, { out: join(scratch.path, 'one.zip') })
    const two = await packPlugin(copy, { out: join(scratch.path, 'two.zip') })
    deepEqual(await readFile(one.file), await readFile(two.file))
    deepEqual([one.sha256, one.treeHash], [two.sha256, two.treeHash])
  })

  it('makes the same bytes whenever, by whomever and in whatever language they are packed', async () => {
    await using scratch = await makeScratch()
    const copy = join(scratch.path, 'copy')
    // In another order, so that the folder lists its files in another one too.
    const files = (await readdir(guestbook, { recursive: true, withFileTypes: true })).filter((file) => file.isFile())
    for (const { parentPath, name } of files.reverse()) {
      const path = join(copy, relative(guestbook, parentPath), name)
      await cp(join(parentPath, name), path)
      await chmod(path, 0o600)
      await utimes(path, 1, 1)
    }
    const surroundings = [
      { cwd: guestbook, umask: '0022', env: { LANG: 'en_US.UTF-8', TZ: 'UTC' } },
      { cwd: copy, umask: '0077', env: { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Asia/Kathmandu' } },
    ]
    const packed = surroundings.map(async ({ cwd, umask, env }, index) => {
      const out = join(scratch.path, `${index}.zip`)
      const command = 'umask "$0"; exec "$@"'
      const parameters = [umask, process.execPath, program, 'pack', '.', '--out', out]
      await promisify(execFile)('/bin/sh', ['-c', command, ...parameters], { cwd, env })
      return readFile(out)
    })
    const [one, two] = await Promise.all(packed)
    deepEqual(one, two)
  })

  it('takes what belongs into a package and leaves the rest', async () => {
    await using scratch = await makeScratch()
    const packed = await packPlugin(guestbook, { out: join(scratch.path, 'pkg.zip') })
    const opened = await openPackage(packed.file, join(scratch.path, 'tree'))
    deepEqual(
      opened.files.map(({ path }) => path),
      [
        ...['CHANGELOG.md', 'META/sbom.json', 'README.md', 'README.zh-CN.md', 'dist/index.js', 'dist/index.js.map'],
        'icon.png',
        'locales/default.json',
        ...['locales/zh-CN.json', 'manifest.json', 'migrations/0001_init.down.sql', 'migrations/0001_init.up.sql'],
        ...['ui/page.css', 'ui/page.html', 'ui/page.js'],
      ],
    )
    equal(opened.treeHash, packed.treeHash)
  })

  it('bundles what the source imports, and says what it cannot find', async () => {
    await using scratch = await makeScratch()
    const copy = join(scratch.path, 'plugin')
    await cp(guestbook, copy, { recursive: true })
    const packed = await packPlugin(copy, { out: join(scratch.path, 'pkg.zip') })
    const { directory } = await openPackage(packed.file, join(scratch.path, 'tree'))
    ok(!/^import /m.test(await readFile(join(directory, 'dist/index.js'), 'utf8')))
    await writeFile(
      join(copy, 'src/files.ts'),
      "import { readFileSync } from 'node:fs'\nexport const putFile = readFileSync\n",
    )
    const refusal = await refusalOf(packPlugin(copy, { out: join(scratch.path, 'two.zip') }))
    deepEqual([refusal.code, refusal.details], [4009, { rule: 'bundle', path: 'src/files.ts', line: 1 }])
    ok(refusal.message.includes('src/files.ts line 1'), refusal.message)
  })

  it('leaves nothing behind when the plugin is refused', async () => {
    await using scratch = await makeScratch()
    const copy = join(scratch.path, 'plugin')
    await cp(guestbook, copy, { recursive: true })
    await writeFile(join(copy, 'migrations/0001_init.up.sql'), 'grant all on entries to public')
    const refusal = await refusalOf(packPlugin(copy, { out: join(scratch.path, 'pkg.zip') }))
    equal(refusal.reason, 'migration_refused')
    deepEqual(await readdir(scratch.path), ['plugin'])
  })
})

describe('opening a package', () => {
  const refused: Readonly<Record<string, [entries: readonly ForgedEntry[], code: number, faults: unknown]>> = {
    'a manifest that is not valid': [sampleEntries({ version: '1' }), 4227, ['version semver']],
    'an entry that is not there': [sampleEntries({ main: 'dist/other.js' }), 4227, ['main file']],
    'a README and a language that are not there': [
      sampleEntries({ readme: { default: 'README.md' }, locales: ['fr'] }),
      4227,
      ['readme.default file', 'locales.0 file'],
    ],
    'migrations without tables': [
      [...sampleEntries(), { path: 'migrations/0001_a.up.sql', data: 'create table a (b int)' }],
      4227,
      ['db required'],
    ],
    'texts that are no texts': [
      [...sampleEntries({ locales: ['fr'] }), { path: 'locales/fr.json', data: '{"a":{"b":"c"}}' }],
      4009,
      { rule: 'locale', path: 'locales/fr.json' },
    ],
    'a signature of another form': [
      [...sampleEntries(), { path: 'META/signature.json', data: '{"alg":"none"}' }],
      4009,
      { rule: 'form' },
    ],
  }
  for (const [name, [entries, code, faults]] of Object.entries(refused)) {
    it(`refuses ${name}, and leaves nothing behind`, async () => {
      await using scratch = await makeScratch()
      const path = await scratch.write('pkg.zip', buildZip(entries))
      const refusal = await refusalOf(openPackage(path, join(scratch.path, 'tree')))
      const told = refusal.errors?.map(({ field, rule }) => `${field} ${rule}`) ?? refusal.details
      deepEqual([refusal.code, told], [code, faults])
      deepEqual(await readdir(scratch.path), ['pkg.zip'])
    })
  }

  it('gives a tree the same hash whatever the order and the signature', () => {
    const files = ['b', 'a'].map((path) => ({ path, size: 1, sha256: path.repeat(64) }))
    const signed = [...files].reverse().concat({ path: 'META/signature.json', size: 9, sha256: 'c' })
    equal(treeHash(files), treeHash(signed))
    ok(treeHash(files) !== treeHash(files.slice(1)))
  })
})
