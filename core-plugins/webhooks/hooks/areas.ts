import { tenantNeeds, type Principal, type Route } from '#kernel'
import type { Place } from './service.ts'

/** Where hooks are managed, by whom, and whose they are. */
export interface HookArea {
  readonly path: string
  /** The name of the parameter of paths; whose hooks are meant is told apart by it. */
  readonly id: 'webhook_id' | 'own_webhook_id'
  readonly isOwn: boolean
  readonly whose: string
  /** What a route asks of its caller. */
  readonly guard: (action: 'list' | 'create' | 'update' | 'delete') => Pick<Route, 'auth' | 'permission' | 'admit'>
  readonly placeOf: (principal: Pick<Principal, 'tenantId' | 'userId'>) => Place
}

/** What tenants’ users must hold for hooks of their own. */
export const ownPermission = 'user_notification:read'
const shared = { id: 'webhook_id', isOwn: false } as const
const placeOf: HookArea['placeOf'] = ({ tenantId }) => ({ tenantId, ownerId: null })

/** Every area. */
export const areas: readonly HookArea[] = [
  {
    ...{ ...shared, path: '/admin/webhooks', whose: 'the platform', placeOf },
    guard: (action) => ({ auth: 'platform', permission: `platform_webhook:${action}` }),
  },
  {
    ...{ ...shared, path: '/tenant/webhooks', whose: 'the tenant', placeOf },
    guard: (action) => ({ auth: 'tenant', permission: `tenant_webhook:${action}` }),
  },
  {
    ...{ path: '/notifications/webhooks', id: 'own_webhook_id', isOwn: true, whose: 'one’s own notifications' },
    guard: () => ({ admit: tenantNeeds(ownPermission) }),
    placeOf: ({ tenantId, userId }) => ({ tenantId, ownerId: userId }),
  },
]
