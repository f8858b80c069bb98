import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

import { build, stop, type Plugin } from 'esbuild'
import { gte } from 'semver'

const require = createRequire(import.meta.url)
/** Older ones let a guest that gets hold of one of their objects out. */
const oldestSafeEngine = '7.0.1'

/** What a sandbox host runs: its own program, and the glue it runs in every context. */
export interface Program {
  readonly main: string
  readonly glue: string
  /** All that the program needs to read of the application. */
  readonly readable: readonly string[]
}

let built: Promise<Program> | undefined

/**
 * Builds the program, once in a process. Under `--jitless` Node cannot strip types, and a program that arrives as text needs
 * no right to read the application.
 */
export function loadProgram(): Promise<Program> {
  built ??= buildProgram()
  return built
}

async function buildProgram(): Promise<Program> {
  const engine = require.resolve('isolated-vm')
  const manifest = path.join(path.dirname(engine), 'package.json')
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { readonly version: string }
  if (!gte(version, oldestSafeEngine)) throw new Error(`isolated-vm ${version} is not safe: ${oldestSafeEngine} is`)
  const binary = createRequire(engine)('node-gyp-build') as { path(folder: string): string }
  const native = binary.path(path.dirname(engine))
  // The engine's own loader looks for its binary in places that the host may not read.
  const contents = `import { createRequire } from 'node:module'
    export default createRequire('/')(${JSON.stringify(native)}).ivm`
  const engineByPath: Plugin = {
    name: 'engine-by-path',
    setup: (bundler) => {
      bundler.onResolve({ filter: /^isolated-vm$/ }, () => ({ path: native, namespace: 'engine' }))
      bundler.onLoad({ filter: /.*/, namespace: 'engine' }, () => ({ contents, loader: 'js' }))
    },
  }
  const [main, glue] = await Promise.all([
    bundle('../host/main.ts', { platform: 'node', plugins: [engineByPath] }),
    bundle('../host/guest.js', { platform: 'neutral', minifyWhitespace: true }),
  ])
  // The builder is a process of its own, and is not needed again.
  await stop()
  return { main, glue, readable: [native] }
}

async function bundle(
  entry: string,
  options: { platform: 'node' | 'neutral'; minifyWhitespace?: boolean; plugins?: Plugin[] },
): Promise<string> {
  const result = await build({
    ...options,
    entryPoints: [path.join(import.meta.dirname, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'esnext',
    legalComments: 'none',
    logLevel: 'silent',
  })
  const [file] = result.outputFiles
  if (!file) throw new Error(`${entry} came out empty`)
  return file.text
}
