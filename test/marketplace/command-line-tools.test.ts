import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, cp, readFile, utimes } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createProgress } from '../../marketplace/cli/progress.ts'
import { checkName } from '../../marketplace/keeper/name-distance.ts'
import { distance } from '../../marketplace/nearest.ts'
import { program, stoa } from './run-stoa.ts'
import { makeScratch } from './sample-package.ts'

const guestbook = join(import.meta.dirname, '../fixtures/plugins/guestbook')
const sample = join(import.meta.dirname, '../fixtures/index')

describe('the tools of the command line', () => {
  it('gives the same bytes whether a package is signed when it is packed or later, with any rights and times', async () => {
    await using scratch = await makeScratch()
    await stoa(scratch.path, 'keygen', 'acme-1')
    const copy = join(scratch.path, 'copy')
    await cp(guestbook, copy, { recursive: true })
    await chmod(join(copy, 'README.md'), 0o640)
    await utimes(join(copy, 'src/index.ts'), 1, 1)
    await stoa(scratch.path, 'pack', guestbook, '--sign', 'acme-1.key.json', '--out', 'one.zip')
    const apart = ['-c', `umask 077; TZ=Asia/Shanghai LANG=zh_CN exec "$0" "$1" pack "$2" --out two.zip`]
    await promisify(execFile)('sh', [...apart, process.execPath, program, copy], { cwd: scratch.path })
    await stoa(scratch.path, 'sign', 'two.zip', '--key', 'acme-1.key.json')
    await stoa(scratch.path, 'sign', guestbook, '--key', 'acme-1.key.json', '--out', 'three.zip')
    const [one, two, three] = await Promise.all(
      ['one', 'two', 'three'].map((name) => readFile(join(scratch.path, `${name}.zip`))),
    )
    ok(one?.equals(two ?? Buffer.alloc(0)) && one.equals(three ?? Buffer.alloc(0)))
    await stoa(scratch.path, 'keygen', 'acme-2')
    await stoa(scratch.path, 'sign', 'two.zip', '--key', 'acme-2.key.json')
    equal((await stoa(scratch.path, 'verify', 'two.zip', '--key', 'acme-2.pub.json')).exitCode, 0)
    equal((await stoa(scratch.path, 'verify', 'two.zip', '--key', 'acme-1.pub.json')).exitCode, 1)
  })

  it('shows what makes a package large', async () => {
    const { stdout } = await stoa('/', 'size', guestbook, '--json')
    const { files, modules, limits, unpacked } = JSON.parse(stdout) as {
      files: { path: string; size: number }[]
      modules: { name: string; bytes: number }[]
      limits: { limit: string; used: number; most: number }[]
      unpacked: number
    }
    equal(
      files.reduce((sum, { size }) => sum + size, 0),
      unpacked,
    )
    deepEqual(modules.map(({ name }) => name).sort(), ['@stoa/plugin-sdk', 'your own source'])
    const entry = files.find(({ path }) => path === 'dist/index.js')?.size ?? 0
    const bundled = modules.reduce((sum, { bytes }) => sum + bytes, 0)
    ok(bundled > entry * 0.5 && bundled <= entry, `${bundled} of ${entry}`)
    ok(limits.every(({ used, most }) => used <= most))
  })

  it('sees names of others in a new one, and lets a publisher’s own be alike', () => {
    const rules = (name: string, ...others: string[]): readonly string[] =>
      checkName(name, others).map(({ rule }) => rule)
    deepEqual(rules('acme.reports', 'acme.report', 'acme.rep0rts'), [])
    deepEqual(rules('acrne.reports', 'acme.reports'), ['name_confusable'])
    deepEqual(rules('acme-sales.report', 'acme.sales-report'), ['name_confusable'])
    deepEqual(rules('ac1.reports', 'acl.reports'), ['name_confusable'])
    deepEqual(rules('acmee.reports', 'acme.reports'), ['name_near'])
    deepEqual(rules('acid.reports', 'add.reports'), [])
    deepEqual(rules('contoso.reports', 'acme.reports'), [])
    deepEqual([distance('reports', 'reprots'), distance('', 'abc'), distance('kitten', 'sitting')], [1, 3, 3])
  })

  it('tells progress in one line on a terminal, in few lines elsewhere, and not at all where nobody asked', async () => {
    let now = 0
    const told = (isTTY: boolean): string => {
      let text = ''
      const progress = createProgress({ isTTY, columns: 40, write: (more: string) => void (text += more) }, () => now)
      for (let done = 1; done <= 100; done++, now += 10)
        progress.tell('Copying', done, 100, 'a/long/path/of/some/file.json')
      progress.end()
      return text
    }
    const line = told(true)
    ok(line.startsWith('\r\u001b[2KCopying 1 of 100: a/long/path/of/some/') && line.endsWith('\r\u001b[2K'), line)
    equal(line.includes('\n'), false)
    equal(told(false), 'Copying 1 of 100: a/long/path/of/some/file.json\n')
    await using scratch = await makeScratch()
    const shown = promisify(execFile)
    const mirror = (copy: string): string[] => [program, 'index', 'mirror', sample, join(scratch.path, copy)]
    const [plain, quiet] = await Promise.all([
      shown(process.execPath, mirror('one')),
      shown(process.execPath, [...mirror('two'), '--quiet']),
    ])
    ok(plain.stderr.startsWith('Copying 1 of 3'), plain.stderr)
    equal(quiet.stderr, '')
  })

  it('finds what is wrong with a platform and an index, and says what to do', async () => {
    const server = createServer((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', date: new Date(Date.now() - 60_000).toUTCString() })
      answer.end('{"status":"ok","version":"0.0.1"}')
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const { exitCode, stdout } = await stoa(
        '/',
        'doctor',
        '--platform',
        url,
        '--index',
        '/nowhere',
        '--data',
        '/dev/null',
        '--json',
      )
      const { findings } = JSON.parse(stdout) as { findings: { level: string; what: string; todo?: string }[] }
      equal(exitCode, 1)
      deepEqual(
        findings.map(({ level, what }) => `${level} ${what}`),
        [
          ...['ok node', 'ok esbuild', 'ok sandbox', 'fail data folder /dev/null'],
          ...[`warn platform ${url}`, 'warn clock', 'fail index /nowhere'],
        ],
      )
      ok(findings.every(({ level, todo }) => level === 'ok' || todo !== undefined))
    } finally {
      server.close()
    }
    const away = await stoa('/', 'doctor', '--platform', url, '--json')
    deepEqual((JSON.parse(away.stdout) as { findings: { level: string }[] }).findings.at(-1)?.level, 'fail')
  })
})
