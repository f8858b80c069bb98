// @both-back-ends
import assert from 'node:assert/strict'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { loseHost } from './lose-host.ts'

describe('a host that is killed', () => {
  itOnRedis('loses nobody an event that its cause was told of, and brings none twice', async () => {
    const { readers, wrong } = await loseHost({ users: 20, each: 5, before: 10, afterwards: 3 })
    assert.deepEqual([readers, wrong], [100, []])
  })
})
