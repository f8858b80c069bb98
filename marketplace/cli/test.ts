import { spawn } from 'node:child_process'
import { glob } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { lifeline } from '../../kernel/launch.js'
import { checkout, packageFile } from '../author/checkout.ts'
import { writeTypes } from '../author/write-types.ts'
import { atMostOneOperand, requireManifest, UsageError, type Answer, type Command } from './command.ts'

const hooks = join(checkout, 'marketplace/author/hooks.ts')
/** Enough for a database that has to be made first. */
const timeoutMs = 30_000

/** `stoa test`: a plugin's own tests, or what becomes of it at each limit. */
export const test: Command = {
  usage: '[<folder>] [--attack] [--grep <words>]',
  summary: "Runs a plugin's tests in a real sandbox.",
  examples: ['stoa test sales', 'stoa test sales --attack'],
  options: { grep: 'only tests whose name has these words' },
  flags: { attack: 'instead, drive the plugin to each limit and show what its caller gets' },
  async run(operands, { grep }, flags) {
    const directory = resolve(atMostOneOperand(operands) ?? '.')
    await requireManifest(directory)
    if (flags.has('attack')) {
      const { attack } = await import('./attack.ts')
      return attack(directory)
    }
    return runTests(directory, grep, flags.has('json'))
  },
}

async function runTests(directory: string, grep: string | undefined, isJson: boolean): Promise<Answer> {
  const files = (await Array.fromAsync(glob('test/**/*.test.{ts,js}', { cwd: directory }))).sort()
  if (files.length === 0) throw new UsageError(`There are no tests in ${join(directory, 'test')}: name them *.test.ts.`)
  await writeTypes(directory)
  const parameters = [
    ...[
      '--import',
      hooks,
      packageFile('mocha/bin/mocha.js'),
      '--no-config',
      '--extension',
      'ts',
      '--timeout',
      String(timeoutMs),
    ],
    ...(grep === undefined ? [] : ['--fgrep', grep]),
    ...(isJson ? ['--reporter', 'json'] : []),
    ...files,
  ]
  const { code, output } = await runApart(directory, parameters, isJson)
  return { text: [], json: isJson ? JSON.parse(output) : null, exitCode: code === 0 ? 0 : 1 }
}

function runApart(cwd: string, parameters: readonly string[], isQuiet: boolean) {
  return new Promise<{ readonly code: number | null; readonly output: string }>((settle, reject) => {
    const child = spawn(process.execPath, parameters, {
      cwd,
      // Where the platform keeps what it compiled: the harness is most of what a run of tests loads.
      env: { NODE_COMPILE_CACHE: join(checkout, 'node_modules/.cache/stoa'), ...process.env, ...lifeline.env },
      stdio: ['inherit', isQuiet ? 'pipe' : 'inherit', 'inherit', lifeline.stdio],
    })
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', reject)
    child.once('close', (code) => settle({ code, output }))
  })
}
