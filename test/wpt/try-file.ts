import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { loadPlugin } from '../../marketplace/testing.ts'
import { sampleManifest } from '../marketplace/sample-package.ts'

/** How a file of web-platform-tests does in a sandbox. */
export interface FileTrial {
  readonly file: string
  readonly total: number
  readonly failures: readonly string[]
}

interface Slice {
  readonly total: number
  readonly failures: readonly string[]
}

/** How many tests a call runs: one has 200 calls to the host. */
const sliceOf = 10
const harness = join(import.meta.dirname, 'harness.js')
const includesOfBrowsers = /subset-tests|testharness|idlharness|webidl/

/** Makes a plugin of a file and runs its tests in a sandbox. Of a file that does not load nothing passes. */
export async function tryFile(root: string, file: string, scratch: string): Promise<FileTrial> {
  const plugin = join(scratch, file.replaceAll('/', '-'))
  await writePlugin(plugin, await sourceOf(root, file))
  const failures: string[] = []
  let total = 1
  try {
    await using loaded = await loadPlugin(plugin)
    for (let from = 0; from < total; from += sliceOf) {
      const { status, data, error, stack } = await loaded.call('run', { query: { from: String(from) } })
      if (status === 200) {
        const slice = data as unknown as Slice
        total = slice.total
        failures.push(...slice.failures)
      } else {
        const said = stack ?? error?.message ?? String(status)
        for (let at = from; at < Math.min(from + sliceOf, total); at += 1) failures.push(said)
      }
    }
  } catch (error) {
    failures.push((error as Error).message)
  }
  return { file, total, failures }
}

/** The text of a file with what it includes and reads. */
async function sourceOf(root: string, file: string): Promise<string> {
  const text = await readFile(join(root, file), 'utf8')
  const includes = [...text.matchAll(/^\/\/ META: script=(\S+)/gm)].map(([, name = '']) => name)
  const scripts = includes.filter((name) => !includesOfBrowsers.test(name)).map((name) => placeOf(file, name))
  const before = await Promise.all(scripts.map((name) => readFile(join(root, name), 'utf8')))
  const names = [...text.matchAll(/fetch(?:_json)?\("([^"]+\.json)"\)/g)].map(([, name = '']) => name)
  const read = names.map(async (name): Promise<[string, unknown]> => {
    return [name, JSON.parse(await readFile(join(root, placeOf(file, name)), 'utf8'))]
  })
  const beside = JSON.stringify(Object.fromEntries(await Promise.all(read)))
  return [`const beside = ${beside}`, await readFile(harness, 'utf8'), ...before, text].join('\n')
}

function placeOf(file: string, name: string): string {
  return name.startsWith('/') ? name.slice(1) : posix.join(dirname(file), name)
}

async function writePlugin(folder: string, source: string): Promise<void> {
  await mkdir(join(folder, 'src'), { recursive: true })
  const limits = { cpuMs: 5_000, wallMs: 25_000 }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(sampleManifest({ limits })))
  // What a file declares is its own, and anew with each call.
  const run = `async run({ query }) {\n${source}\nreturn runSlice(Number(query.from), Number(query.from) + ${sliceOf})\n}`
  await writeFile(join(folder, 'src/index.js'), `export default { handlers: { ${run} } }\n`)
}
