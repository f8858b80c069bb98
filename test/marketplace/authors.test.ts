import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, readFile, readdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { request } from 'undici'
import { until } from '../support/until.ts'
import { program, stoa, stoaProcess } from './run-stoa.ts'
import { makeScratch } from './sample-package.ts'

const reports = join(import.meta.dirname, '../fixtures/plugins/reports')

describe('the command line of authors', () => {
  it('makes a plugin whose test passes and that packs, never over what is there', async () => {
    await using scratch = await makeScratch()
    for (const template of ['tool', 'captcha']) {
      const made = await stoa(scratch.path, 'create', `you.my-${template}`, '--template', template, '--json')
      deepEqual(JSON.parse(made.stdout), {
        ...{ name: `you.my-${template}`, template },
        folder: join(scratch.path, `you-my-${template}`),
      })
      const tested = await stoaProcess(scratch.path, 'test', `you-my-${template}`)
      ok(tested.exitCode === 0 && / passing/.test(tested.stdout), tested.stdout + tested.stderr)
    }
    const { title, publisher } = JSON.parse(
      await readFile(join(scratch.path, 'you-my-tool/manifest.json'), 'utf8'),
    ) as {
      title: object
      publisher: string
    }
    deepEqual([title, publisher], [{ default: 'My tool', 'zh-CN': 'My tool' }, 'you'])
    const again = await stoa(scratch.path, 'create', 'you.my-tool')
    ok(again.exitCode === 2 && again.stderr.includes('is not empty'), again.stderr)
    const named = await stoa(scratch.path, 'create', 'My Plugin')
    ok(named.exitCode === 2 && named.stderr.includes('is no name of a plugin'), named.stderr)
    equal((await stoa(scratch.path, 'pack', 'you-my-captcha')).exitCode, 0)
  })

  it('6.4: makes plugins with a page of the console, against which nothing is said', async () => {
    await using scratch = await makeScratch()
    for (const template of ['basic', 'tool']) {
      equal((await stoa(scratch.path, 'create', `you.paged-${template}`, '--template', template)).exitCode, 0)
      const folder = `you-paged-${template}`
      match(await readFile(join(scratch.path, folder, 'manifest.json'), 'utf8'), /"slot": "page"/)
      match(await readFile(join(scratch.path, folder, 'ui/page.js'), 'utf8'), /from '\/plugin-ui\/sdk\/1\/stoa-ui\.js'/)
      const { exitCode, stdout } = await stoa(scratch.path, 'validate', folder, '--json')
      deepEqual([exitCode, (JSON.parse(stdout) as { findings: object[] }).findings], [0, []], stdout)
    }
  })

  it('runs the tests of a sample with tables, and tells a program what they came to', async () => {
    const { exitCode, stdout, stderr } = await stoa(reports, 'test', '--json')
    equal(exitCode, 0, stdout + stderr)
    const { stats } = JSON.parse(stdout) as { stats: { passes: number; failures: number } }
    deepEqual([stats.passes, stats.failures], [5, 0])
  })

  it('shows what a caller gets at each limit', async () => {
    await using scratch = await makeScratch()
    await stoa(scratch.path, 'create', 'you.tool', '--template', 'tool')
    const { stdout, stderr } = await stoa(scratch.path, 'test', 'you-tool', '--attack', '--json')
    const { limits, concurrency } = JSON.parse(stdout || stderr) as {
      limits: { limit: string; status: number; code: number }[]
      concurrency: Record<string, number>
    }
    const codes = Object.fromEntries(limits.map(({ limit, code }) => [limit, code]))
    deepEqual(codes, {
      ...{ cpuMs: 5008, wallMs: 5040, memoryMb: 5008, responseBytes: 5029, hostCalls: 5008, logLines: 0 },
      ...{ answer: 5029, crash: 5004, 'http.hosts': 4030, httpCalls: 4299, capability: 4039 },
    })
    ok((concurrency['4298'] ?? 0) > 0, JSON.stringify(concurrency))
  })

  it('says what could be better, where it is and how to mend it', async () => {
    await using scratch = await makeScratch()
    const plugin = join(scratch.path, 'plugin')
    await cp(reports, plugin, { recursive: true })
    const manifest = (await readFile(join(plugin, 'manifest.json'), 'utf8')).replace(
      ', "permission": "read", "summary": "Sales',
      ', "summary": "Sales',
    )
    await writeFile(join(plugin, 'manifest.json'), manifest.replace(/,\s*"permission": "record"/, ''))
    await writeFile(join(plugin, 'locales/zh-CN.json'), '{}')
    const source = ["const a = eval('1')", 'new WebSocket(a)', "ctx.http.fetch({ url: 'https://x.test/' })"]
    await writeFile(join(plugin, 'src/bad.ts'), source.join('\n'))
    const { exitCode, stdout } = await stoa(scratch.path, 'validate', 'plugin', '--json')
    const { findings } = JSON.parse(stdout) as { findings: { rule: string; file: string; line: number }[] }
    equal(exitCode, 1)
    deepEqual(
      findings.map(({ rule, file, line }) => `${rule} ${file}${file === 'manifest.json' ? '' : `:${line}`}`),
      [
        ...['web src/bad.ts:2', 'undeclared_capability src/bad.ts:3', 'host_not_listed src/bad.ts:3'],
        ...['route_without_permission manifest.json', 'unused_permission manifest.json'],
        ...['missing_translation locales/zh-CN.json:1', 'eval src/bad.ts:1'],
      ],
    )
  })

  it('starts no platform that would not do, and writes nothing where there is no plugin', async () => {
    await using scratch = await makeScratch()
    const nowhere = await stoa(scratch.path, 'dev', 'nowhere')
    ok(nowhere.exitCode === 1 && nowhere.stderr.includes('there is no manifest.json'), nowhere.stderr)
    deepEqual(await readdir(scratch.path), [])
    await using taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const refused = await stoa(scratch.path, 'dev', reports, '--port', String(port))
    ok(refused.exitCode === 1 && refused.stderr.includes(`Port ${port} cannot be used`), refused.stderr)
    const url = `http://127.0.0.1:${port}`
    await taken[Symbol.asyncDispose]()
    const silent = await stoa(scratch.path, 'dev', reports, '--host', url, '--token', 'none')
    ok(silent.exitCode === 1 && silent.stderr.includes(`${url} does not answer`), silent.stderr)
  })

  it('follows every change on a platform of its own, and leaves nothing', async () => {
    await using scratch = await makeScratch()
    await stoa(scratch.path, 'create', 'you.notes')
    const folder = join(scratch.path, 'you-notes')
    // As root the database runs as somebody else, who must get through.
    await chmod(scratch.path, 0o711)
    const env = { ...process.env, TMPDIR: scratch.path }
    const child = spawn(process.execPath, [program, 'dev', folder], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = collect(child)
    try {
      await until(() => Promise.resolve(/Every change|Exit code/.test(output())), 60_000)
      const url = /runs on (\S+)/.exec(output())?.[1] ?? ''
      const hello = async (): Promise<unknown> => {
        const headers = { host: 'dev.localhost' }
        const { body } = await request(`${url}/api/public/plugins/you.notes/api/hello`, { headers })
        return ((await body.json()) as { data: unknown }).data
      }
      deepEqual(await hello(), { hello: 'Hello' })
      const file = join(folder, 'src/index.ts')
      const source = await readFile(file, 'utf8')
      await writeFile(file, source.replace("ctx.t('hello')", "ctx.t('hello') + '!'"))
      await until(() => Promise.resolve(output().includes('Reloaded in')), 15_000).catch((error: unknown) => {
        throw new Error(output(), { cause: error })
      })
      deepEqual(await hello(), { hello: 'Hello!' })
      await writeFile(file, source.replace("ctx.t('hello')", 'null.nothing'))
      await until(() => Promise.resolve((output().match(/Reloaded in/g) ?? []).length === 2), 15_000)
      equal(await hello(), undefined)
      await until(() => Promise.resolve(output().includes('src/index.ts:')), 5_000)
      match(output(), /handler sayHello: done, [\d.]+ of 1000 ms CPU/)
    } finally {
      child.kill('SIGINT')
      await once(child, 'exit')
    }
    equal(child.exitCode, 0)
    deepEqual((await readdir(join(folder, '.stoa'))).sort(), [
      'manifest.schema.json',
      'names.d.ts',
      'tests.json',
      'tsconfig.json',
    ])
    deepEqual(await readdir(scratch.path), ['you-notes'])
  })
})

function collect({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return () => text
}
