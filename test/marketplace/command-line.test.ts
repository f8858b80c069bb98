import { deepEqual, equal, ok } from 'node:assert/strict'
import { cp, readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { stoa, stoaProcess } from './run-stoa.ts'
import { makeScratch } from './sample-package.ts'

const guestbook = join(import.meta.dirname, '../fixtures/plugins/guestbook')

describe('the command line', () => {
  it('tells a stranger what it can do', async () => {
    const { exitCode, stdout } = await stoaProcess('/', '--help')
    equal(exitCode, 0)
    for (const command of ['pack', 'validate', 'verify', 'keygen']) ok(stdout.includes(`stoa ${command}`), stdout)
  })

  it('says how to write what it does not understand', async () => {
    const runs = [await stoaProcess('/', 'fly'), await stoa('/', 'pack'), await stoa('/', 'pack', 'a', '--colour')]
    deepEqual(
      runs.map(({ exitCode, stdout }) => [exitCode, stdout]),
      [
        [2, ''],
        [2, ''],
        [2, ''],
      ],
    )
    ok(runs[1]?.stderr.startsWith("Give the plugin's folder."), runs[1]?.stderr)
  })

  it('packs, signs and verifies', async () => {
    await using scratch = await makeScratch()
    equal((await stoa(scratch.path, 'keygen', 'acme-2026a')).exitCode, 0)
    equal((await stat(join(scratch.path, 'acme-2026a.key.json'))).mode & 0o777, 0o600)
    const packed = await stoa(scratch.path, 'pack', guestbook, '--sign', 'acme-2026a.key.json', '--json')
    const answer = JSON.parse(packed.stdout) as Record<string, unknown>
    deepEqual([answer['name'], answer['version'], answer['kid']], ['acme.guestbook', '1.0.0', 'acme-2026a'])
    const file = 'acme.guestbook-1.0.0.plugin.zip'
    const verified = await stoa(scratch.path, 'verify', file, '--key', 'acme-2026a.pub.json')
    deepEqual(verified, {
      exitCode: 0,
      stdout: 'acme.guestbook 1.0.0 is signed with acme-2026a, and is what was signed.\n',
      stderr: '',
    })
    equal((await stoa(scratch.path, 'keygen', 'acme-2026a')).exitCode, 2)
    await stoa(scratch.path, 'keygen', 'other')
    equal((await stoa(scratch.path, 'verify', file, '--key', 'other.pub.json')).exitCode, 1)
  })

  it('refuses what is unsigned where a signature is asked for', async () => {
    await using scratch = await makeScratch()
    await stoa(scratch.path, 'keygen', 'acme')
    await stoa(scratch.path, 'pack', guestbook, '--out', 'pkg.zip')
    const { exitCode, stdout } = await stoa(scratch.path, 'verify', 'pkg.zip', '--key', 'acme.pub.json', '--json')
    equal(exitCode, 1)
    equal((JSON.parse(stdout) as Record<string, unknown>)['reason'], 'package_signature_invalid')
  })

  it('validates a folder and a package, and writes nothing', async () => {
    await using scratch = await makeScratch()
    await stoa(scratch.path, 'pack', guestbook, '--out', 'pkg.zip')
    const folder = await stoa(scratch.path, 'validate', guestbook)
    const file = await stoa(scratch.path, 'validate', 'pkg.zip')
    deepEqual(folder, file)
    ok(folder.stdout.startsWith('acme.guestbook 1.0.0 is valid.\n  asks for http: '), folder.stdout)
    deepEqual(await readdir(scratch.path), ['pkg.zip'])
  })

  it('shows every fault of a manifest at once', async () => {
    await using scratch = await makeScratch()
    await cp(guestbook, join(scratch.path, 'plugin'), { recursive: true })
    const path = join(scratch.path, 'plugin/manifest.json')
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
    await scratch.write('plugin/manifest.json', JSON.stringify({ ...manifest, version: '1', scope: 'galaxy' }))
    const { exitCode, stdout } = await stoa(scratch.path, 'validate', 'plugin')
    equal(exitCode, 1)
    for (const field of ['scope', 'version'])
      ok(new RegExp(`^manifest\\.json:1 error .* ${field}: `, 'm').test(stdout), stdout)
  })
})
