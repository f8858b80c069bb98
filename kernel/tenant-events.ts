import { defineEvent } from './event.ts'

/** A tenant was created, with its roles and its owner. */
export const tenantsCreated = defineEvent<{ readonly tenantId: number; readonly code: string }>('tenants.created')
/** A tenant's name, status or domains changed. */
export const tenantsUpdated = defineEvent<{ readonly tenantId: number }>('tenants.updated')
/** A tenant is being deleted: whoever keeps in memory what it is like forgets it. */
export const tenantsClosed = defineEvent<{ readonly tenantId: number }>('tenants.closed')
/**
 * A tenant was deleted and nobody reaches it any more: whoever keeps rows or files of tenants deletes its own now. Told in
 * the background, at least once.
 */
export const tenantsDeleted = defineEvent<{ readonly tenantId: number }>('tenants.deleted')
