import { randomUUID } from 'node:crypto'
import { createTestDatabase, testRedisUrl } from './cluster.ts'

/** Variables that lead a host process to this run's back end. */
export interface BackEnd extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>
}

/** Whether several hosts may share this run's back end. */
export const isShared = Boolean(process.env['STOA_TEST_DATABASE_URL'] && testRedisUrl())

/** The back end of this run: a database on the operator's server and Redis, or nothing, so that the host brings its own. */
export async function startBackEnd(): Promise<BackEnd> {
  const redisUrl = testRedisUrl()
  if (!isShared || !redisUrl) {
    return { env: {}, [Symbol.asyncDispose]: () => Promise.resolve() }
  }
  const database = await createTestDatabase()
  return {
    env: { DATABASE_URL: database.url, REDIS_URL: redisUrl, REDIS_NAMESPACE: randomUUID() },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
