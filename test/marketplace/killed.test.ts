import { equal, ok } from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { descendants, isAlive } from '../support/processes.ts'
import { until } from '../support/until.ts'
import { program, stoa } from './run-stoa.ts'
import { makeScratch } from './sample-package.ts'

const asOldNode = ['--import', join(import.meta.dirname, '../fixtures/old-node.mjs')]
const startedMs = 90_000
const endedMs = 60_000

describe('stoa that is killed', () => {
  for (const [node, options] of [
    ['Node 24', []],
    ['an older Node', asOldNode],
  ] as const) {
    it(`leaves no platform of stoa dev behind, under ${node}`, async () => {
      await using scratch = await makeScratch()
      const folder = await newPlugin(scratch.path)
      const child = start(scratch.path, ...options, program, 'dev', folder)
      const output = collect(child)
      await until(() => output().includes('Every change') || child.exitCode !== null, startedMs)
      const [platform] = (await readdir(scratch.path)).filter((name) => name.startsWith('stoa-dev-'))
      ok(platform !== undefined, output())
      const pidFile = join(scratch.path, platform, 'data/pg/data/postmaster.pid')
      await kill(child, Number((await readFile(pidFile, 'utf8')).split('\n')[0]))
    })

    it(`leaves no test of stoa test running, under ${node}`, async () => {
      await using scratch = await makeScratch()
      const child = await startLongTest(scratch.path, options)
      await kill(child)
    })
  }

  it('says by which signal the one that worked ended, under an older Node', async () => {
    await using scratch = await makeScratch()
    const child = await startLongTest(scratch.path, asOldNode)
    const below = descendants(child.pid ?? 0)
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    equal(code, 128 + 15)
    await until(() => !below.some(isAlive), endedMs)
  })
})

async function newPlugin(path: string): Promise<string> {
  await stoa(path, 'create', 'you.notes')
  // As root the database runs as somebody else, who must get through.
  await chmod(path, 0o711)
  return join(path, 'you-notes')
}

/** `stoa test` in the middle of a test that never ends. */
async function startLongTest(scratch: string, nodeOptions: readonly string[]): Promise<ChildProcess> {
  const folder = await newPlugin(scratch)
  await writeFile(
    join(folder, 'test/index.test.ts'),
    `it('takes its time', () => new Promise(() => { console.log('it runs'); setInterval(() => undefined, 1000) }))`,
  )
  const child = start(scratch, ...nodeOptions, program, 'test', folder)
  const output = collect(child)
  await until(() => output().includes('it runs') || child.exitCode !== null, startedMs)
  return child
}

function start(scratch: string, ...parameters: readonly string[]): ChildProcess {
  const env = { ...process.env, TMPDIR: scratch }
  return spawn(process.execPath, parameters, { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

function collect({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return () => text
}

/** SIGKILL, and waits until everything below it, and `others`, have ended by themselves. */
async function kill(child: ChildProcess, ...others: readonly number[]): Promise<void> {
  const below = descendants(child.pid ?? 0)
  ok(below.length > 0)
  child.kill('SIGKILL')
  await once(child, 'exit')
  try {
    await until(() => ![...below, ...others].some(isAlive), endedMs)
  } finally {
    for (const pid of below.filter(isAlive)) process.kill(pid, 'SIGKILL')
  }
}
