import type { Route } from '#kernel'
import { areas } from './hooks/areas.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import type { DeliveryLog } from './deliveries/log.ts'
import { hookRoutes } from './hooks/routes.ts'
import type { HookService } from './hooks/service.ts'

/** Hooks of the platform, of tenants and of users, all alike. */
export function webhookRoutes(hooks: HookService, log: DeliveryLog): readonly Route[] {
  return areas.flatMap((area) => [...hookRoutes(area, hooks), ...deliveryRoutes(area, log)])
}
