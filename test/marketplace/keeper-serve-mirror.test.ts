import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, cp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { mirrorIndex } from '../../marketplace/keeper/mirror-index.ts'
import { serveIndex, type ServedIndex } from '../../marketplace/keeper/serve-index.ts'
import { until } from '../support/until.ts'
import { hashTree } from './index-workshop.ts'
import { program, stoa } from './run-stoa.ts'
import { makeScratch } from './sample-package.ts'

const sample = join(import.meta.dirname, '../fixtures/index')
const keys = join(import.meta.dirname, '../fixtures/keys')

/** Asks for a path as it is written, which fetch would tidy up. */
async function ask(url: string, path: string, method = 'GET', headers: Readonly<Record<string, string>> = {}) {
  const { hostname, port } = new URL(url)
  const asked = request({ hostname, port, path, method, headers })
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const parts = await Array.fromAsync(answer as AsyncIterable<Buffer>)
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }
}

describe('serving and copying an index', () => {
  let scratch: Awaited<ReturnType<typeof makeScratch>>
  let folder: string
  let served: ServedIndex

  before(async () => {
    scratch = await makeScratch()
    folder = join(scratch.path, 'index')
    await cp(sample, folder, { recursive: true })
    await writeFile(join(scratch.path, 'secret.json'), '{}')
    await symlink('../secret.json', join(folder, 'link.json'))
    served = await serveIndex(folder, { host: '127.0.0.1', port: 0 })
  })

  after(async () => {
    await served[Symbol.asyncDispose]()
    await scratch[Symbol.asyncDispose]()
  })

  it('gives out files with what caches need', async () => {
    const found = await ask(served.url, '/index.json')
    deepEqual([found.status, found.headers['content-type']], [200, 'application/json; charset=utf-8'])
    deepEqual(found.body, await readFile(join(folder, 'index.json')))
    const etag = String(found.headers.etag)
    equal((await ask(served.url, '/index.json', 'GET', { 'if-none-match': etag })).status, 304)
    const zipped = await ask(served.url, '/index.json', 'GET', { 'accept-encoding': 'gzip' })
    deepEqual([zipped.headers['content-encoding'], zipped.headers.etag === etag], ['gzip', false])
    const head = await ask(served.url, '/index.json', 'HEAD')
    deepEqual([head.status, head.body.length, head.headers['content-length']], [200, 0, String(found.body.length)])
    const icon = await ask(served.url, '/p/ac/acme.reports/icon.png')
    deepEqual([icon.headers['content-type'], icon.headers['x-content-type-options']], ['image/png', 'nosniff'])
  })

  it('gives out nothing else', async () => {
    const paths = [
      ...['/', '/p/', '/p', '/none.json', '/../secret.json', '/p/../../secret.json', '/%2e%2e/secret.json'],
      ...[
        '/..%2fsecret.json',
        '/p%2f..%2f..%2fsecret.json',
        '/link.json',
        '/.gitignore',
        '/.github/workflows/check.yml',
      ],
      ...['//etc/passwd', '/p\\..\\secret.json', '/%00', '/index.json%00.md', '/%ff', '/index.json/', '/p/./ac'],
    ]
    for (const path of paths) deepEqual([path, (await ask(served.url, path)).status], [path, 404])
    const posted = await ask(served.url, '/index.json', 'POST')
    deepEqual([posted.status, posted.headers.allow], [405, 'GET, HEAD'])
  })

  it('says where it serves, and ends on a signal', async () => {
    const child = spawn(process.execPath, [program, 'index', 'serve', folder, '--port', '0', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    await until(() => Promise.resolve(said.includes('\n')), 20_000)
    const { url } = JSON.parse(said) as { url: string }
    equal((await fetch(new URL('root.json', url))).status, 200)
    child.kill('SIGINT')
    const [code] = (await once(child, 'exit')) as [number]
    equal(code, 0)
  })

  it('copies an index from a server so that it verifies by the same root, and goes on where it was', async () => {
    const copy = join(scratch.path, 'copy')
    const first = await mirrorIndex(served.url, copy)
    deepEqual([first.plugins, first.kept, first.elsewhere], [3, 0, []])
    const expected = await hashTree(sample)
    const repository = new Set(['.gitattributes', '.gitignore', '.github/workflows/check.yml', 'README.md'])
    for (const path of repository) delete (expected as Record<string, string>)[path]
    deepEqual(await hashTree(copy), expected)
    await rm(join(copy, 'p/ac/acme.reports/releases/acme.reports-1.1.0.plugin.zip'))
    await appendFile(join(copy, 'p/ac/acme.reports/README.md'), 'cut off')
    const again = await mirrorIndex(served.url, copy)
    deepEqual([again.fetched, again.kept], [2, first.fetched - 2])
    deepEqual(await hashTree(copy), expected)
    const { exitCode } = await stoa(
      scratch.path,
      'verify',
      join(copy, 'p/ac/acme.reports/releases/acme.reports-1.1.0.plugin.zip'),
      '--index',
      copy,
    )
    equal(exitCode, 0)
  })

  it('copies what is asked for alone, and says what there is not', async () => {
    const { stdout } = await stoa(scratch.path, 'index', 'mirror', folder, 'one', '--only', 'acme.guestbook', '--json')
    equal((JSON.parse(stdout) as { plugins: number }).plugins, 1)
    const paths = Object.keys(await hashTree(join(scratch.path, 'one')))
    ok(paths.every((path) => !path.includes('acme.reports')) && paths.includes('index.json.sig'), paths.join(' '))
    const none = await stoa(scratch.path, 'index', 'mirror', folder, 'two', '--only', 'acme.nothing')
    ok(none.exitCode === 1 && none.stderr.includes('no plugin acme.nothing'), none.stderr)
  })

  it('keeps nothing that is not what was signed, and never goes back', async () => {
    const bad = join(scratch.path, 'bad')
    await cp(sample, bad, { recursive: true })
    await appendFile(join(bad, 'p/ac/acme.reports/releases/acme.reports-1.0.0.plugin.zip'), 'x')
    const tampered = await stoa(scratch.path, 'index', 'mirror', bad, 'kept', '--json')
    deepEqual([tampered.exitCode, (JSON.parse(tampered.stdout) as { reason: string }).reason], [1, 'index_untrusted'])
    ok(!Object.keys(await hashTree(join(scratch.path, 'kept'))).includes('index.json'))
    const pinned = await stoa(scratch.path, 'index', 'mirror', folder, 'pinned', '--root', '0'.repeat(64), '--json')
    deepEqual([pinned.exitCode, (JSON.parse(pinned.stdout) as { reason: string }).reason], [1, 'index_untrusted'])
    const copy = join(scratch.path, 'ahead')
    const newer = join(scratch.path, 'newer')
    await cp(sample, newer, { recursive: true })
    await stoa(scratch.path, 'index', 'build', newer, '--key', join(keys, 'sample-index-1.key.json'))
    equal((await stoa(scratch.path, 'index', 'mirror', newer, copy)).exitCode, 0)
    const back = await stoa(scratch.path, 'index', 'mirror', folder, copy)
    ok(back.exitCode === 1 && back.stderr.includes('serves an old one'), back.stderr)
  })

  it('follows an index whose key was replaced', async () => {
    const source = join(scratch.path, 'rotated')
    const copy = join(scratch.path, 'follows')
    await cp(sample, source, { recursive: true })
    await mirrorIndex(source, copy)
    await stoa(scratch.path, 'keygen', 'index-2')
    const old = join(keys, 'sample-index-1.key.json')
    const rotated = await stoa(scratch.path, 'index', 'rotate-key', source, '--key', old, '--new', 'index-2.key.json')
    equal(rotated.exitCode, 0, rotated.stderr)
    const { sequence } = await mirrorIndex(source, copy)
    equal(sequence, 3)
    const former = await stoa(scratch.path, 'index', 'build', source, '--key', old)
    equal(former.exitCode, 1)
  })
})
