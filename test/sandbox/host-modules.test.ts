import { deepEqual, match, ok } from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadHostModule } from '../../sandbox/host-modules/load-host-module.ts'
import { allHostModules } from '../../sandbox/host-modules/host-modules.ts'
import { loadPlugin } from '../../marketplace/testing.ts'
import { sampleManifest } from '../marketplace/sample-package.ts'
import { essence, handlerModule, startSandbox, tight, type TestSandbox } from './host-releases.ts'

const body =
  'return { day: dayjs("2026-03-01").subtract(1, "day").format("YYYY-MM-DD"), sum: new Big("0.1").plus("0.2").toString() }'
const imports = 'import dayjs from "dayjs"; import Big from "big.js"; import { parse } from "marked"'

/** The first call waits for the modules to be bundled. */
const roomy = { ...tight, cpuMs: 1_000, wallMs: 10_000 }

describe('a module that the host ships', () => {
  let sandbox: TestSandbox
  before(async () => (sandbox = await startSandbox()))
  after(() => sandbox[Symbol.asyncDispose]())

  it('is imported by a plugin that declares it, in every context anew', async () => {
    const code = await sandbox.install('acme.dates', handlerModule(body, imports))
    const declared = { ...code, hostModules: ['dayjs', 'big.js', 'marked'] }
    const value = JSON.stringify({ day: '2026-02-28', sum: '0.3' })
    for (const tenant of ['1', '2']) {
      const outcome = await sandbox.call(declared, { tenant, limits: roomy })
      deepEqual(outcome.ok && outcome.value, value, JSON.stringify(outcome))
    }
  })

  it('is not there for one that does not, nor is any other', async () => {
    const loads: Readonly<Record<string, readonly string[]>> = {
      dayjs: [],
      lodash: ['lodash'],
      'node:fs': ['node:fs'],
      'dayjs/esm': ['dayjs'],
    }
    for (const [name, hostModules] of Object.entries(loads)) {
      const code = await sandbox.install(
        `acme.${name.replace(/\W/g, '')}`,
        handlerModule('return 1', `import "${name}"`),
      )
      const { kind, message = '' } = essence(await sandbox.call({ ...code, hostModules }, { limits: roomy })) as {
        kind?: string
        message?: string
      }
      deepEqual(kind, 'load')
      match(message, /cannot import|ships no module/)
    }
  })

  it('imports nothing, and brings no way out of the sandbox', async () => {
    for (const { name, version } of allHostModules) {
      const text = await loadHostModule(name)
      ok(!/\bimport\s*[({"'*\w]|\brequire\(|\beval\(|\bnew Function\b/.test(text.replace(/\/\*[^]*?\*\//g, '')), name)
      match(version, /^\d+\.\d+\.\d+$/)
    }
  })

  it("stays an import in the package, and is there in the authors' tests", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-test-'))
    const manifest = sampleManifest({
      hostModules: ['dayjs@^1.11.0', 'big.js@^7'],
      tenant_routes: [{ method: 'GET', path: '/day', handler: 'run' }],
    })
    const source = `import dayjs from 'dayjs'; import Big from 'big.js'\nexport default { handlers: { run() { ${body} } } }`
    await mkdir(join(folder, 'src'))
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
    await writeFile(join(folder, 'src/index.js'), source)
    const plugin = await loadPlugin(folder)
    deepEqual((await plugin.request('GET /day')).data, { day: '2026-02-28', sum: '0.3' })
    await plugin[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })
})
