import { access, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { PackageInvalidError } from '../errors.ts'
import { explainUnresolved, hasSubstitute } from './explain-unresolved.ts'

const output = 'dist/index.js'
const sdkFolder = resolve(import.meta.dirname, '../../sandbox/sdk')

/** The sdkFolder comes from this checkout and its files are named without its place, so that the bundle is the same everywhere. */
const sdk: Plugin = {
  name: 'plugin-sdk',
  setup(build) {
    const namespace = '@stoa/plugin-sdk'
    build.onResolve({ filter: /^@stoa\/plugin-sdk$/ }, () => ({ path: 'index.ts', namespace }))
    build.onResolve({ filter: /^\.\//, namespace }, ({ path }) => ({ path: path.slice(2), namespace }))
    build.onLoad({ filter: /.*/, namespace }, async ({ path }) => ({
      contents: await readFile(join(sdkFolder, path), 'utf8'),
      loader: 'ts',
    }))
  },
}

/** What stands around a plugin imports it as `stoa:own`. */
function own(path: string): Plugin {
  return { name: 'own', setup: (build) => build.onResolve({ filter: /^stoa:own$/ }, () => ({ path })) }
}

/** Finds the source of a plugin: `src/index.ts` or `src/index.js`; without one the entry in `dist/` is taken as it is. */
export async function findSource(directory: string): Promise<string | undefined> {
  for (const name of ['src/index.ts', 'src/index.js']) {
    const isThere = await access(join(directory, name)).then(
      () => true,
      () => false,
    )
    if (isThere) return name
  }
  return undefined
}

/** A plugin's code in one file, and where its lines come from. */
export interface Bundle {
  readonly code: Buffer
  /** A source map without the sources themselves. */
  readonly map: Buffer
  /** The files it is made of, relative to the plugin's folder, with their bytes in the bundle. */
  readonly inputs: ReadonlyMap<string, number>
  /** What each of them imports when it is loaded. */
  readonly imports: ReadonlyMap<string, readonly string[]>
}

/** What is bundled beside a plugin's source, or left to the host. */
interface BundleOptions {
  /** A module that stands around the plugin, and imports it as `stoa:own`. */
  readonly around?: string | undefined
  /** Modules that the host ships, which stay imports. */
  readonly hostModules?: readonly string[]
  /** Names of globals, each with another that is written in its place; for those who look through the code. */
  readonly marks?: Readonly<Record<string, string>>
}

/**
 * Bundles a plugin's source with everything it imports into one ES module that needs nothing of Node or a browser, and of the
 * host what its manifest declares; with `around`, that module instead.
 */
export async function bundle(
  directory: string,
  source: string,
  { around, hostModules = [], marks = {} }: BundleOptions = {},
): Promise<Bundle> {
  const folder = resolve(directory)
  const entry =
    around === undefined
      ? { entryPoints: [source] }
      : { stdin: { contents: around, resolveDir: folder, loader: 'js' as const } }
  try {
    const { outputFiles, metafile } = await build({
      absWorkingDir: folder,
      ...entry,
      bundle: true,
      write: false,
      outfile: output,
      sourcemap: 'external',
      sourcesContent: false,
      metafile: true,
      format: 'esm',
      // What modules have for browsers needs nothing of Node: another entry, or single files in the place of others.
      platform: 'browser',
      mainFields: ['browser', 'module', 'main'],
      conditions: ['browser', 'import'],
      // Modules ask it to leave out what helps their own authors.
      define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis', ...marks },
      target: 'es2022',
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
      tsconfigRaw: {},
      external: [...hostModules],
      plugins: [sdk, own(join(folder, source))],
    })
    const textOf = (name: string): string => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? ''
    const inputs = Object.entries(metafile.outputs[output]?.inputs ?? {})
    return {
      code: Buffer.from(textOf('.js')),
      map: cleanMap(textOf('.js.map')),
      inputs: new Map(inputs.map(([path, { bytesInOutput }]) => [path, bytesInOutput])),
      imports: new Map(
        Object.entries(metafile.inputs).map(([path, { imports }]) => [
          path,
          imports.filter(({ kind, external }) => kind !== 'dynamic-import' && !external).map((each) => each.path),
        ]),
      ),
    }
  } catch (error) {
    const { errors = [] } = error as { errors?: { text: string; location: { file: string; line: number } | null }[] }
    const first = errors.find(({ location }) => hasSubstitute(location?.file)) ?? errors[0]
    if (!first) throw error
    const place = first.location ? `${first.location.file} line ${first.location.line}: ` : ''
    const at = first.location ? { path: first.location.file, line: first.location.line } : {}
    throw new PackageInvalidError(
      { problem: place + (explainUnresolved(first.text, first.location?.file) ?? first.text) },
      { details: { rule: 'bundle', ...at }, cause: error },
    )
  }
}

/** Sources as the author names them, seen from the plugin's folder, and the same wherever it lies. */
function cleanMap(text: string): Buffer {
  const { version, sources, names, mappings } = JSON.parse(text) as Readonly<Record<string, unknown>>
  const cleaned = (sources as readonly string[]).map((source) =>
    source
      .replace('@stoa/plugin-sdk:', '@stoa/plugin-sdk/')
      .replace(/^(\.\.\/)+.*(?=node_modules\/)/, '')
      .replace(/^\.\.\//, ''),
  )
  return Buffer.from(JSON.stringify({ version, sources: cleaned, names, mappings }))
}
