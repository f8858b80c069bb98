import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { LimitSetter } from '../../sandbox/supervisor/limit-setter.ts'
import { descendants, isAlive } from '../support/processes.ts'
import { until } from '../support/until.ts'

const megabyte = 1024 * 1024
const nobody = 2 ** 22 + 1

describe('limits of running processes', () => {
  const limits = new LimitSetter([], '/usr/bin/prlimit')
  let running: ChildProcess
  let pid: number
  before(() => {
    running = spawn('sleep', ['600'], { stdio: 'ignore' })
    pid = running.pid ?? 0
  })
  after(() => running.kill())

  const capOf = async (): Promise<readonly [string | undefined, string | undefined]> => {
    const found = /^Max data size +(\S+) +(\S+)/m.exec(await readFile(`/proc/${String(pid)}/limits`, 'utf8'))
    return [found?.[1], found?.[2]]
  }
  const helpers = () => descendants(process.pid).filter((each) => each !== pid)

  it('are set, the soft one alone where it may be raised again, and each caller is told of its own', async () => {
    const before = new Set(helpers())
    const asked = [
      limits.set(pid, `--data=${String(300 * megabyte)}:`),
      limits.set(nobody, `--data=${String(100 * megabyte)}`),
      limits.set(pid, `--data=${String(200 * megabyte)}:`),
      limits.set(pid, '--data=much'),
    ]
    assert.deepEqual(await Promise.all(asked), [true, false, true, false])
    assert.deepEqual(await capOf(), [String(200 * megabyte), 'unlimited'])
    assert.equal(await limits.set(pid, `--data=${String(150 * megabyte)}`), true)
    assert.deepEqual(await capOf(), [String(150 * megabyte), String(150 * megabyte)])
    assert.equal(helpers().filter((each) => !before.has(each)).length, 1)
  })

  it('are set by another small process when theirs was killed, and whoever waited for it is told no', async () => {
    const own = new LimitSetter([], '/usr/bin/prlimit')
    const before = new Set(helpers())
    assert.equal(await own.set(pid, `--data=${String(90 * megabyte)}`), true)
    const [helper] = helpers().filter((each) => !before.has(each))
    assert.ok(helper)
    process.kill(helper, 'SIGSTOP')
    const waiting = own.set(pid, `--data=${String(80 * megabyte)}`)
    process.kill(helper, 'SIGKILL')
    assert.equal(await waiting, false)
    assert.equal(await own.set(pid, `--data=${String(70 * megabyte)}`), true)
    assert.equal((await capOf())[0], String(70 * megabyte))
  })

  it('are not set where there is no such tool', async () => {
    assert.equal(await new LimitSetter(['/no/such/tool'], '/usr/bin/prlimit').set(pid, '--data=1'), false)
    assert.equal(await new LimitSetter([], '/no/such/tool').set(pid, '--data=1'), false)
  })

  it('keep no process from its end, and end with it', async () => {
    const file = new URL('../../sandbox/supervisor/limit-setter.ts', import.meta.url).href
    const program = `
      const { LimitSetter } = await import(${JSON.stringify(file)})
      process.stdin.once('data', () => process.stdin.destroy())
      console.log(await new LimitSetter([], '/usr/bin/prlimit').set(${String(pid)}, '--data=60000000'))`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await until(() => said === 'true\n')
    const [helper] = descendants(child.pid ?? 0)
    assert.ok(helper)
    child.stdin.write('end')
    await until(() => child.exitCode !== null)
    assert.equal(child.exitCode, 0)
    await until(() => !isAlive(helper))
  })
})
