import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const main = join(import.meta.dirname, 'extract-main.ts')
const builder = createRequire(import.meta.url).resolve('esbuild/bin/esbuild')

let built: Promise<string> | undefined

/**
 * The program of the opening process as one text, built once. A process that is handed it strips no types, which is half of
 * what opening a package takes, and needs no right to read the application.
 */
export function loadOpeningProgram(): Promise<string> {
  built ??= build().catch((error: unknown) => {
    built = undefined
    throw error
  })
  return built
}

/** By the builder's command, whose process ends with it. */
async function build(): Promise<string> {
  const options = ['--bundle', '--platform=node', '--format=esm', '--target=esnext', '--log-level=error']
  const { stdout } = await run(process.execPath, [builder, main, ...options], { env: {}, maxBuffer: 1_048_576 })
  return stdout
}
