import { tenantsDeleted, type Scope } from '#kernel'
import type { InvitationStore } from './invitations/store.ts'
import type { UserStore } from './store.ts'

/** Deletes the users of tenants who are gone, and with each user the rows that are theirs. */
export function followDeletions(
  scope: Pick<Scope, 'on'>,
  { store, invitations }: { readonly store: UserStore; readonly invitations: InvitationStore },
): void {
  scope.on(tenantsDeleted, async ({ tenantId }) => {
    await invitations.deleteAll(tenantId)
    await store.deleteAll(tenantId)
  })
}
