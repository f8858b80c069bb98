import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type { Logger } from '#kernel'

import type { Call, CallLimits, Code, Outcome, SandboxPool, SandboxPoolOptions } from '../../sandbox/wire/call.ts'
import { createSandboxPool } from '../../sandbox/supervisor/pool.ts'

/** Says nothing. */
export const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quiet,
}

/** Limits that let a test of a limit end soon. */
export const tight: CallLimits = {
  cpuMs: 300,
  wallMs: 1_000,
  hostCalls: 50,
  hostCallsInFlight: 4,
  logLines: 10,
  responseBytes: 100_000,
  concurrency: 8,
  tenantConcurrency: 4,
  queue: 32,
}

/** The same for calls that are not about time: on a busy machine a host takes seconds to begin. */
export const patient: CallLimits = { ...tight, wallMs: 30_000 }

/** A pool over a folder of releases made of source texts. */
export interface TestSandbox extends AsyncDisposable {
  readonly pool: SandboxPool
  install(plugin: string, files: Readonly<Record<string, string>>, options?: { trusted?: boolean }): Promise<Code>
  call(code: Code, changes?: Partial<Call>): Promise<Outcome>
}

/** Starts a pool for tests: the host answers each operation with itself. */
export async function startSandbox(options: Partial<SandboxPoolOptions> = {}): Promise<TestSandbox> {
  const releases = await mkdtemp(path.join(tmpdir(), 'releases-'))
  await chmod(releases, 0o755)
  const pool = await createSandboxPool({ log: quiet, releases, ...options })
  pool.warm()
  return {
    pool,
    install: async (plugin, files, { trusted = false } = {}) => {
      const directory = path.join(releases, plugin)
      for (const [name, text] of Object.entries(files)) {
        await mkdir(path.dirname(path.join(directory, name)), { recursive: true })
        await writeFile(path.join(directory, name), text)
      }
      const hashes = Object.entries(files).map(([name, text]): [string, string] => [
        name,
        createHash('sha256').update(text).digest('hex'),
      ])
      const id = `${plugin}@${createHash('sha256').update(JSON.stringify(hashes)).digest('hex')}`
      const main = Object.keys(files)[0] ?? ''
      return { id, plugin, directory, main, files: Object.fromEntries(hashes), memoryMb: 128, trusted }
    },
    call: (code, changes) =>
      pool.call({
        code,
        tenant: '1',
        target: { kind: 'handler', name: 'run' },
        input: '{}',
        ctx: JSON.stringify({
          plugin: { name: code.plugin },
          tenant: { id: 1 },
          capabilities: ['storage', 'db:own_tables'],
        }),
        limits: patient,
        host: (operation, argument) =>
          Promise.resolve({
            ok: true,
            value: `{"operation":${JSON.stringify(operation)},"argument":${argument}}`,
          }),
        ...changes,
      }),
    [Symbol.asyncDispose]: async () => {
      await pool[Symbol.asyncDispose]()
      await rm(releases, { recursive: true, force: true })
    },
  }
}

/** A module whose handler `run` has this body. */
export function handlerModule(body: string, before = ''): Readonly<Record<string, string>> {
  return { 'index.js': `${before}\nexport default { handlers: { async run(request, ctx, db) { ${body} } } }` }
}

/** An outcome without what differs from run to run. */
export function essence(outcome: Outcome): object {
  return Object.fromEntries(Object.entries(outcome).filter(([key]) => key !== 'cpuMs' && key !== 'wallMs'))
}

/** An expression that leaves the isolate to a built-in which no timeout ends. */
export const stuckSource = 'new Array(1e9).fill(1).indexOf(2)'

/** Resolves when the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(5)
}
