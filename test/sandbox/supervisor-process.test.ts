import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { essence, handlerModule, startSandbox, stuckSource, until } from './host-releases.ts'

describe('the processes of sandbox hosts', () => {
  it('runs trusted code on a lane of its own', async () => {
    await using sandbox = await startSandbox()
    const code = await sandbox.install('official', handlerModule('return ctx.id().length'), { trusted: true })
    const outcome = await sandbox.call(code)
    assert.equal(outcome.ok && outcome.value, '36')
    assert.deepEqual(
      sandbox.pool.stats().lanes.map(({ name }) => name),
      ['trusted'],
    )
  })

  it('gives a host no environment, no rights and another user’s number where it can', async () => {
    await using sandbox = await startSandbox()
    await sandbox.call(await sandbox.install('jailed', handlerModule('return 1')))
    const pid = sandbox.pool.stats().lanes[0]?.pid ?? 0
    assert.equal(readFileSync(`/proc/${pid}/environ`, 'utf8'), '')
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    assert.match(status, /^NoNewPrivs:\s1$/m)
    assert.match(status, /^CapEff:\s0+$/m)
    assert.match(status, /^Seccomp:\s2$/m)
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8')
    assert.match(limits, /^Max data size\s+\d+\s/m)
    assert.match(limits, /^Max file size\s+0\s/m)
    assert.match(limits, /^Max core file size\s+0\s/m)
  })

  it('leaves no process behind when it is disposed of', async () => {
    const sandbox = await startSandbox()
    const code = await sandbox.install('last', handlerModule(`if (request.loop) ${stuckSource}; return 1`))
    await sandbox.call(code)
    const { pid = 0 } = sandbox.pool.stats().lanes[0] ?? {}
    const stuck = sandbox.call(code, { input: '{"loop":true}' })
    await until(() => sandbox.pool.stats().lanes[0]?.calls === 1)
    await sandbox[Symbol.asyncDispose]()
    assert.deepEqual(essence(await stuck), { ok: false, kind: 'killed', cause: 'dispose', hostCalls: 0 })
    assert.equal(existsSync(`/proc/${pid}`), false)
  })

  it('ends its hosts with the process that started them', async () => {
    const script = path.join(import.meta.dirname, 'supervisor-orphan.ts')
    const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pids = JSON.parse(line.toString()) as number[]
    assert.equal(
      pids.every((pid) => existsSync(`/proc/${pid}`)),
      true,
    )
    parent.kill('SIGKILL')
    await until(() => pids.every((pid) => !existsSync(`/proc/${pid}`)))
  })
})
