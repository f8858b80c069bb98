import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** A program and what is handed to it. */
interface Command {
  readonly program: string
  readonly args: readonly string[]
}

const root = path.join(import.meta.dirname, '../../..')
/** Where packages are may be a link to another place. */
const packages = realpathSync(path.join(root, 'node_modules'))
const gate = pathToFileURL(path.join(import.meta.dirname, 'close-network.ts')).href
/** Reads its own program and packages, writes no file, starts no process, opens no socket. */
const flags = [
  ...['--permission', '--no-warnings', '--max-old-space-size=256', '--stack-size=900', `--import=${gate}`],
  ...[`--allow-fs-read=${root}/package.json`, `--allow-fs-read=${root}/node_modules/*`],
  `--allow-fs-read=${packages}/*`,
  `--allow-fs-read=${path.join(import.meta.dirname, '..')}/*`,
]
/** A network of its own, in which there is nothing: as root, or where users may make namespaces. */
const prefixes = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--net', '--'],
] as const
const run = promisify(execFile)
let known: Promise<readonly string[]> | undefined

/** How a reader is started: without a network where the system can take it away, and without the modules that open one anywhere. */
export async function readerCommand(args: readonly string[]): Promise<Command> {
  known ??= findPrefix()
  const [program = process.execPath, ...rest] = [...(await known), process.execPath, ...flags, ...args]
  return { program, args: rest }
}

async function findPrefix(): Promise<readonly string[]> {
  for (const prefix of prefixes) {
    const [program, ...rest] = prefix
    const works = await run(program, [...rest, process.execPath, '--version'], { env: {} }).then(
      () => true,
      () => false,
    )
    if (works) return prefix
  }
  return []
}
