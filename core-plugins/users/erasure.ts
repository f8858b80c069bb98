import type { Knex } from 'knex'
import { tenantsDeleted, type Scope } from '#kernel'
import type { JobKind, Jobs } from '../jobs/contract.ts'
import { usersChanged, usersDeleted } from './contract.ts'
import type { InvitationStore } from './invitations/store.ts'
import type { UserStore } from './store.ts'

const kind = 'users.erase'
/** By then whoever deleted the user has told so, or died. */
const firstMs = 60_000
/** The longest that an administrator may give a call to a model (`timeouts.total_ms`), with time to write down what was said in it. */
const longestCallMs = 7_200_000 + 300_000
/** With an hour between the last of them, four days. */
const attempts = 100

/** What erasures stand on. */
interface ErasureParts {
  readonly scope: Pick<Scope, 'emit' | 'emitWithin'>
  readonly store: UserStore
  readonly jobs: Pick<Jobs, 'enqueue'>
}

interface Erased {
  readonly userId: number
}

/** Has every plugin delete what it keeps of users who are gone: at once, again while one fails, and when no call of theirs is left. */
export class UserErasure {
  readonly #parts: ErasureParts

  constructor(parts: ErasureParts) {
    this.#parts = parts
  }

  /** In the transaction that deletes a user. */
  async within(trx: Knex.Transaction, tenantId: number, userId: number): Promise<void> {
    await this.#parts.scope.emitWithin(trx, usersChanged, { tenantId, userId, change: 'deleted' })
    await this.#parts.jobs.enqueue(trx, kind, { userId } satisfies Erased, { tenant: tenantId, delay: firstMs })
  }

  /** Once that transaction holds. */
  async begin(tenantId: number, userId: number): Promise<void> {
    await this.#parts.scope.emit(usersChanged, { tenantId, userId, change: 'deleted' })
    await this.#parts.scope.emit(usersDeleted, { tenantId, userId })
  }

  /** Tells all who keep something, until none of them fails. */
  get kind(): JobKind<Erased> {
    const { scope, store } = this.#parts
    return {
      kind,
      attempts,
      async run({ tenantId, payload: { userId }, createdAt }) {
        // A user who is there is none to be forgotten, whatever brought the job.
        if (await store.find(tenantId, userId)) return undefined
        const isHeard = await scope.emit(usersDeleted, { tenantId, userId })
        if (!isHeard) throw new Error('something of a user who was deleted is still kept')
        const leftMs = createdAt.getTime() + longestCallMs - Date.now()
        return leftMs > 0 ? { againIn: leftMs } : undefined
      },
    }
  }
}

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
