import { join } from 'node:path'
import { runBundler } from '#sandbox'

const main = join(import.meta.dirname, 'extract-main.ts')
const mostBytes = 1_048_576

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

function build(): Promise<string> {
  const options = ['--bundle', '--platform=node', '--format=esm', '--target=esnext', '--log-level=error']
  return runBundler([main, ...options], mostBytes)
}
