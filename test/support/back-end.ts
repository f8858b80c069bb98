import { randomUUID } from 'node:crypto'
import { corePlugins } from '../../core-plugins/index.ts'
import { createTestDatabase, testRedisUrl } from './cluster.ts'
import { silentLog } from './kernel.ts'
import { migratedFor } from './migrated.ts'

/** Variables that lead a host process to this run's back end. */
export interface BackEnd extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>
}

/** Whether several hosts may share this run's back end. */
export const isShared = Boolean(process.env['STOA_TEST_DATABASE_URL'] && testRedisUrl())

/** A database of this run in which the platform's tables stand, and Redis where the run has one. */
export async function startBackEnd(): Promise<BackEnd> {
  const database = await createTestDatabase(migratedFor(corePlugins, silentLog))
  const redisUrl = testRedisUrl()
  return {
    env: {
      DATABASE_URL: database.url,
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl, REDIS_NAMESPACE: randomUUID() }),
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

/** The back end that an operator gives: on PostgreSQL and Redis one as above, otherwise nothing, so that the host brings its own. */
export function startOperatorBackEnd(): Promise<BackEnd> {
  return isShared ? startBackEnd() : Promise.resolve({ env: {}, [Symbol.asyncDispose]: () => Promise.resolve() })
}
