import type { GuardedFetch } from '#kernel'
import { createAiCapability } from './capabilities/ai.ts'
import { createCacheCapability } from './capabilities/cache.ts'
import { createConfigCapability } from './capabilities/config.ts'
import { createDatabaseCapability } from './capabilities/database.ts'
import type { RolePools } from './capabilities/database/role-pools.ts'
import { createEventsCapability } from './capabilities/events.ts'
import { createHttpCapability } from './capabilities/http.ts'
import type { KnownSecrets } from './capabilities/known-secrets.ts'
import { createNotifyCapability } from './capabilities/notify.ts'
import { createStorageCapability } from './capabilities/storage.ts'
import { createUsersCapability } from './capabilities/users.ts'
import type { Grants, Release, SandboxServices } from './services.ts'
import { Broker } from './supervisor/broker.ts'

/** What all brokers share. */
export interface BrokerParts {
  readonly services: SandboxServices
  readonly client: GuardedFetch
  readonly pools: RolePools
  readonly secrets: KnownSecrets
}

/** The broker of one plugin: every capability closed over what the administrator granted. */
export function makeBroker(
  { services, client, pools, secrets }: BrokerParts,
  release: Release,
  grants: Grants,
): Broker {
  const { manifest, name } = release
  const { limiter, log, cache, config, storage, publish, notify, users, invokeAi } = services
  return new Broker(
    [
      createHttpCapability({ client, grants, limiter }),
      createStorageCapability(storage),
      createConfigCapability(config, manifest, secrets),
      createCacheCapability(cache, name),
      createEventsCapability({ manifest, grants, limiter, publish }),
      createDatabaseCapability(pools, name, grants),
      createNotifyCapability({ manifest, limiter, notify }),
      createUsersCapability(users),
      createAiCapability({ limiter, invokeAi }),
    ],
    log,
  )
}
