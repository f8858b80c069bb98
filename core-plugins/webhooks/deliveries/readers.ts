import { compilePermissionCheck, type Principal, type TenantResolver } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { WireFeed } from '../../realtime/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import { ownPermission } from '../hooks/areas.ts'
import type { HookRow } from '../models.ts'

interface ReaderParts {
  readonly access: Pick<Access, 'grantsOf'>
  readonly users: Pick<UserDirectory, 'find'>
  readonly tenants: TenantResolver
  readonly feed: Pick<WireFeed, 'kinds'>
}

/** What is sent to see whether a hook works: it tells nothing. */
export const testEvent = 'webhook.test'

/** Tells whether a hook may have an event, by the rights of the moment of who made or changed it last. */
export class Readers {
  readonly #parts: ReaderParts

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  /** `nobody`: there is no such user any more, or not one who could see anything. */
  async mayHear(
    hook: Pick<HookRow, 'tenantId' | 'ownerId' | 'seenBy'>,
    event: string,
  ): Promise<'yes' | 'no' | 'nobody'> {
    const { access, users, tenants } = this.#parts
    const { tenantId, ownerId, seenBy } = hook
    const userId = ownerId ?? seenBy
    if (tenantId > 0 && (await tenants.byId(tenantId))?.status !== 'active') return 'no'
    const user = await users.find(tenantId, userId)
    if (user?.status !== 'active') return 'nobody'
    const { permissions } = await access.grantsOf(tenantId, userId)
    const can = compilePermissionCheck(permissions)
    return this.maySee(hook, event, { can }) ? 'yes' : 'no'
  }

  /** Whether somebody who holds this may know what an event of a hook says; one that is in no table is for nobody. */
  maySee(
    { tenantId, ownerId }: Pick<HookRow, 'tenantId' | 'ownerId'>,
    event: string,
    reader: Pick<Principal, 'can'>,
  ): boolean {
    if (event === testEvent) return true
    if (ownerId !== null) return tenantId === 0 || reader.can(ownPermission)
    const namespace = tenantId === 0 ? 'admin' : 'tenant'
    const kind = this.#parts.feed.kinds.find((one) => one.namespace === namespace && one.name === event)
    return kind?.permissions.every((permission) => reader.can(permission)) ?? false
  }
}
