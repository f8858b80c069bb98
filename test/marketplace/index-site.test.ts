import { deepEqual, equal, ok } from 'node:assert/strict'
import { cp, glob, readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { serveIndex } from '../../marketplace/keeper/serve-index.ts'
import { stoa } from './run-stoa.ts'
import { makeScratch } from './sample-package.ts'

const fixtures = join(import.meta.dirname, '../fixtures')
const hostile = '</title><script>alert(1)</script>"\''

describe('the web site of an index', () => {
  let scratch: Awaited<ReturnType<typeof makeScratch>>
  let folder = ''
  before(async () => {
    scratch = await makeScratch()
    folder = join(scratch.path, 'index')
    await cp(join(fixtures, 'index'), folder, { recursive: true })
    const about = join(folder, 'p/ac/acme.guestbook/plugin.json')
    const plugin = JSON.parse(await readFile(about, 'utf8')) as Record<string, unknown>
    await writeFile(about, JSON.stringify({ ...plugin, title: { default: hostile }, keywords: [hostile] }))
    await writeFile(
      join(folder, 'p/ac/acme.guestbook/README.md'),
      `# Book\n\n<script>alert(1)</script>\n\n[a](javascript:x)`,
    )
    await build()
  })
  after(() => scratch[Symbol.asyncDispose]())

  it('lists and shows every plugin in each language, and leads nowhere that is not', async () => {
    const pages = (await Array.fromAsync(glob('**/index.html', { cwd: folder }))).sort()
    deepEqual(pages, [
      'index.html',
      ...['acme.guestbook', 'acme.reports', 'stoa.captcha-pow'].map((name) => `plugins/${name}/index.html`),
      'zh-CN/index.html',
      ...['acme.guestbook', 'acme.reports', 'stoa.captcha-pow'].map((name) => `zh-CN/plugins/${name}/index.html`),
    ])
    for (const page of pages) {
      const html = await readFile(join(folder, page), 'utf8')
      for (const [, path = ''] of html.matchAll(/ (?:href|src)="(?!https?:|mailto:)([^"]+)"/g))
        ok(existsSync(resolve(folder, dirname(page), path)), `${page} → ${path}`)
    }
    const chinese = await readFile(join(folder, 'zh-CN/plugins/acme.reports/index.html'), 'utf8')
    ok(chinese.includes('<h1>销售报表</h1>') && chinese.includes('所需权限'), chinese)
    const english = await readFile(join(folder, 'plugins/acme.reports/index.html'), 'utf8')
    for (const said of ['Sales reports', 'Keeps tables of its own', '1.1.0', '1.0.0', 'sample-acme-1', 'Changelog'])
      ok(english.includes(said), said)
  })

  it('runs nothing of a plugin, and has nothing within its pages that a policy would have to let in', async () => {
    for await (const page of glob('**/index.html', { cwd: folder })) {
      const html = await readFile(join(folder, page), 'utf8')
      ok(html.includes('default-src &#39;none&#39;'), page)
      deepEqual(
        html.match(/<script[^>]*>/g)?.map((tag) => / src="(\.\.\/)*search\.js" defer/.test(tag)),
        [true],
        page,
      )
      ok(!/<style|\son\w+=|style=|="javascript:/.test(html), page)
    }
  })

  it('is the same when it is built again, is served as it is, and can be left out', async () => {
    const before = await readFile(join(folder, 'feed.xml'), 'utf8')
    await build()
    equal(await readFile(join(folder, 'feed.xml'), 'utf8'), before)
    equal(before.match(/<entry>/g)?.length, 4)
    await using served = await serveIndex(folder, { host: '127.0.0.1', port: 0 })
    const answers = ['', 'zh-CN/', 'plugins/acme.reports/', 'site.css', 'feed.xml'].map(async (path) => {
      const { status, headers } = await fetch(served.url + path)
      return [status, headers.get('content-type')?.split(';')[0]]
    })
    deepEqual(await Promise.all(answers), [
      ...[1, 2, 3].map(() => [200, 'text/html']),
      [200, 'text/css'],
      [200, 'application/atom+xml'],
    ])
    const plain = join(scratch.path, 'plain')
    await cp(join(fixtures, 'index'), plain, { recursive: true })
    await build(plain, '--no-site')
    ok(!existsSync(join(plain, 'index.html')))
  })

  async function build(target = folder, ...flags: string[]): Promise<void> {
    const key = join(fixtures, 'keys/sample-index-1.key.json')
    const { exitCode, stderr } = await stoa(scratch.path, 'index', 'build', target, '--key', key, ...flags)
    equal(exitCode, 0, stderr)
  }
})
