import { requireFreshSignIn } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConfigGuard } from '../../config/contract.ts'
import { groups } from '../declared.ts'

/**
 * Whoever says where files are looked at, and what becomes of those that nobody looked at, is sent every file of every tenant:
 * only somebody freshly signed in who holds as much as the highest may.
 */
export function guardSettings(access: Pick<Access, 'requireAuthorityOverAll'>): ConfigGuard {
  return {
    // How long a scanner may take is one of them: a file that takes longer is taken as it is where that is allowed.
    keys: groups.flatMap(({ items }) => items.map(({ key }) => key)),
    async pass({ actor }, trx) {
      if (!actor) return
      requireFreshSignIn(actor)
      await access.requireAuthorityOverAll(actor, 0, trx)
    },
  }
}
