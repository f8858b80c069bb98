import assert from 'node:assert/strict'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { loseHost } from './lose-host.ts'

describe('a host that holds 2,000 sockets and is killed', function () {
  this.timeout(600_000)

  itOnRedis('loses nobody an event that its cause was told of, and brings none twice', async () => {
    const { readers, wrong, backMs } = await loseHost({ users: 400, each: 5, before: 30, afterwards: 10 })
    console.log(`      ${readers} sockets were back with all events ${(backMs / 1_000).toFixed(1)} s after the kill`)
    assert.deepEqual([readers, wrong], [2_000, []])
  })
})
