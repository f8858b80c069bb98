import { execFile } from 'node:child_process'
import { closeSync, openSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

const run = promisify(execFile)
const command = createRequire(import.meta.url).resolve('esbuild/bin/esbuild')

/**
 * Bundles by the bundler's own command, whose process ends with it; answers what it prints. Throws what the process fails with, and when it
 * prints more than so many bytes.
 */
export async function runBundler(args: readonly string[], mostBytes: number, program = command): Promise<string> {
  const [file, first] = isScript(program) ? [process.execPath, [program]] : [program, []]
  const { stdout } = await run(file, [...first, ...args], { env: {}, maxBuffer: mostBytes })
  return stdout
}

/** The command is a script of Node until the package's own install script puts the binary in its place, where npm lets it run. */
function isScript(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const begin = Buffer.alloc(2)
    readSync(file, begin, 0, 2, 0)
    return begin.toString('latin1') === '#!'
  } finally {
    closeSync(file)
  }
}
