import { testRedisUrl } from './cluster.ts'

/** Declares a test of several hosts, or of Redis itself, where the run has a Redis; in memory there is nothing of it to test. */
export function itOnRedis(title: string, test: () => Promise<void>): Mocha.Test | undefined {
  return testRedisUrl() === undefined ? undefined : it(title, test)
}
/** Declares a test of what a single host keeps in memory, where the run has no Redis. */
export function itInMemory(title: string, test: () => Promise<void>): Mocha.Test | undefined {
  return testRedisUrl() === undefined ? it(title, test) : undefined
}
