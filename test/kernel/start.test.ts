// @both-back-ends
import assert from 'node:assert/strict'
import { createTestDatabase, testRedisUrl } from '../support/cluster.ts'
import { startTestKernel } from '../support/kernel.ts'
import { probePlugin } from '../support/probe.ts'
import { serverOf, startTcpProxy } from '../support/tcp-proxy.ts'

describe('a start that waits', () => {
  it('for a database that says nothing gives up and names it', async () => {
    await using database = await createTestDatabase()
    await using proxy = await startTcpProxy(serverOf(database.url))
    proxy.swallow()
    const start = startTestKernel({ plugins: [], databaseUrl: proxy.through(database.url), startMilliseconds: 300 })
    await assert.rejects(start, {
      name: 'StartError',
      message: 'The start gives up: it has waited for the database for 0.3 s',
    })
  })

  it('for a plugin gives up, names it, and takes back what comes of it later', async () => {
    const later = Promise.withResolvers<void>()
    const undone = Promise.withResolvers<void>()
    const slow = probePlugin('slow', async (scope) => {
      scope.defer(() => undone.resolve())
      await later.promise
    })
    const start = startTestKernel({ plugins: [slow], startMilliseconds: 2_000 })
    await assert.rejects(start, { message: 'The start gives up: it has waited for the plugin slow for 2 s' })
    later.resolve()
    await undone.promise
  })

  const redisUrl = testRedisUrl()
  if (redisUrl !== undefined) {
    it('for a Redis that says nothing gives up by itself', async () => {
      await using proxy = await startTcpProxy(serverOf(redisUrl))
      proxy.swallow()
      const start = startTestKernel({ plugins: [], env: { REDIS_URL: proxy.through(redisUrl) } })
      await assert.rejects(start, { name: 'StartError', message: /^REDIS_URL cannot be reached: \S.*$/ })
    })
  }
})
