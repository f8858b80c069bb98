import { randomUUID } from 'node:crypto'
import { openStore, type Store, type StoreOptions } from '../../kernel/data/store.ts'
import { testRedisUrl } from './cluster.ts'
import { recordingLog } from './recording-log.ts'

/** The back ends that a store can be tested on here: memory always, Redis when there is one. */
export const storeKinds: readonly Store['kind'][] = testRedisUrl() === undefined ? ['memory'] : ['memory', 'redis']

/** Opens a store of this kind, with keys of its own unless a namespace is given. */
export function openTestStore(kind: Store['kind'], options: Partial<StoreOptions> = {}): Promise<Store> {
  const redisUrl = kind === 'redis' ? testRedisUrl() : undefined
  return openStore({
    hostId: randomUUID(),
    log: recordingLog().log,
    namespace: `test-${randomUUID()}`,
    ...(redisUrl && { redisUrl }),
    ...options,
  })
}
