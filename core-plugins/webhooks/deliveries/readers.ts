import { compilePermissionCheck, type TenantResolver } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { WireFeed } from '../../realtime/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import type { HookRow } from '../models.ts'

interface ReaderParts {
  readonly access: Pick<Access, 'grantsOf'>
  readonly users: Pick<UserDirectory, 'find'>
  readonly tenants: TenantResolver
  readonly feed: Pick<WireFeed, 'kinds'>
}

/** What a user must hold for hooks of their own. */
const ownPermission = 'user_notification:read'

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
    return this.#neededFor(hook, event).every((permission) => can(permission)) ? 'yes' : 'no'
  }

  #neededFor({ tenantId, ownerId }: Pick<HookRow, 'tenantId' | 'ownerId'>, event: string): readonly string[] {
    if (ownerId !== null) return tenantId > 0 ? [ownPermission] : []
    const namespace = tenantId === 0 ? 'admin' : 'tenant'
    const kind = this.#parts.feed.kinds.find((one) => one.namespace === namespace && one.name === event)
    return kind?.permissions ?? []
  }
}
