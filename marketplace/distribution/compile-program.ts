import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

/** What of the checkout is program: pages of the console are shipped as they were built. */
const program = 'kernel,sandbox,marketplace,core-plugins'
const leftOut =
  /^core-plugins\/(console\/web|backup|knowledge|mcp|memory|retention|webhooks)\/|^core-plugins\/console\/build\/(main|bring-up-to-date)\.|^core-plugins\/[a-z-]+\.ts$|^marketplace\/distribution\//
/** Of the files beside the core plugins, those that start them. */
const starters = /^core-plugins\/(main|index)\.ts$/
/** What nobody runs. */
const besides = /\.d\.ts$|\.md$|tsconfig\.json$/
/** What of a plugin the command line bundles itself: authors' code is compiled with it, so it stays as it was written. */
const asWritten = /^(sandbox\/sdk\/|marketplace\/templates\/)/
/** The console, which browsers load as it was built. */
const built = 'core-plugins/console/dist/'

/** A file of the program as it goes into the package. */
interface CompiledFile {
  readonly path: string
  /** What it names that may be a package. */
  readonly packages: readonly string[]
}

/** Copies the program of a checkout without its types, under which Node refuses to run what lies in node_modules; lines and columns stay. */
export async function compileProgram(checkout: string, target: string): Promise<readonly CompiledFile[]> {
  const compiled: CompiledFile[] = []
  const ofBuild = await filesOfBuild(checkout)
  for await (const path of glob(`{${program}}/**/*.*`, { cwd: checkout })) {
    const isTemplate = path.startsWith('marketplace/templates/')
    const isBuilt = path.startsWith(built)
    if ((leftOut.test(path) && !starters.test(path)) || (!isTemplate && besides.test(path))) continue
    // Of the builds before there may be files as well.
    if (isBuilt && !ofBuild.has(path)) continue
    const [from, to] = [join(checkout, path), join(target, path)]
    await mkdir(dirname(to), { recursive: true })
    if (isBuilt || asWritten.test(path) || !/\.(ts|js)$/.test(path)) await cp(from, to)
    if (isBuilt || isTemplate || !/\.(ts|js)$/.test(path)) continue
    const text = await readFile(from, 'utf8')
    const whole = path === 'core-plugins/index.ts' ? withoutAbsent(text) : text
    const stripped = path.endsWith('.ts') ? stripTypeScriptTypes(whole) : whole
    await writeFile(
      to.replace(/\.ts$/, '.js'),
      renameSources(stripped, (name) => isSource(checkout, path, name)),
    )
    compiled.push({ path, packages: namedPackages(stripped) })
  }
  return compiled
}

/** What belongs to the newest build of the console, from the top of the checkout. */
async function filesOfBuild(checkout: string): Promise<ReadonlySet<string>> {
  const { files } = JSON.parse(await readFile(join(checkout, built, 'build.json'), 'utf8')) as {
    readonly files: object
  }
  return new Set([...Object.keys(files), 'build.json'].map((file) => built + file))
}

/** The list of core plugins without those that a platform for trying plugins can do without. */
function withoutAbsent(list: string): string {
  const absent = [...list.matchAll(/^import (\w+) from '\.\/(\S+)'$/gm)].filter(([, , path]) =>
    leftOut.test(`core-plugins/${path}`),
  )
  return absent.reduce((text, [line, name]) => text.replace(`${line}\n`, '').replace(`  ${name},\n`, ''), list)
}

/** Whether a text of a file names a source: beside the file, or from the folder of the whole program. */
function isSource(checkout: string, path: string, name: string): boolean {
  return [dirname(path), '.'].some((folder) => existsSync(join(checkout, folder, name)))
}

/** Imports and paths lead to what was compiled. */
function renameSources(code: string, isSource: (name: string) => boolean): string {
  return code.replace(/(['"])([\w@./-]+)\.ts\1/g, (whole, quote: string, name: string) =>
    isSource(`${name}.ts`) ? `${quote}${name}.js${quote}` : whole,
  )
}

/** What a file imports, and what it looks up by its name. */
function namedPackages(code: string): readonly string[] {
  return [...code.matchAll(/'((?:@[\w-]+\/)?[\w.-]+)(?:\/[\w./-]*)?'/g)].map(([, name = '']) => name)
}
