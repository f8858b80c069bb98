// @own-back-end
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setUp } from '../../support/first-run.ts'
import { installNeighbour } from '../../support/hostile-platform.ts'
import { freePort } from '../../support/free-port.ts'
import { checkout, startHostProcess } from '../../support/host-process.ts'
import { descendants, isAlive } from '../../support/processes.ts'
import { until } from '../../support/until.ts'

const asOldNode = ['--import', path.join(checkout, 'test', 'fixtures', 'old-node.mjs')]

describe('the launcher under an old Node', () => {
  let dataDir: string

  beforeEach(async () => (dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-launcher-'))))
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  it('leaves nothing behind when it is killed: no host, no sandbox host, no PostgreSQL, and the port is free', async () => {
    const port = await freePort()
    const launcher = await startHostProcess({ dataDir, port, nodeOptions: asOldNode, env: { STOA_DEMO: '0' } })
    const postgres = Number((await readFile(path.join(dataDir, 'pg/data/postmaster.pid'), 'utf8')).split('\n')[0])
    const { admin } = await setUp(launcher, dataDir)
    await installNeighbour(admin)
    const below = descendants(launcher.pid)
    // The host, and below it the sandbox hosts.
    assert.ok(below.length > 1)
    await launcher.kill()
    try {
      await until(() => ![...below, postgres].some(isAlive), 60_000)
    } finally {
      for (const pid of below.filter(isAlive)) process.kill(pid, 'SIGKILL')
    }
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
    server.close()
    // It ended as if told to: what only a stop takes away is gone.
    assert.equal(existsSync(path.join(dataDir, 'pg/data/postmaster.pid')), false)
  })

  it('hands a signal on, and the way the host ended', async () => {
    const launcher = await startHostProcess({ dataDir, nodeOptions: asOldNode, env: { STOA_DEMO: '0' } })
    assert.equal(await launcher.stop(), 0)
  })
})
