import { requireFreshSignIn } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConfigGuard } from '../../config/contract.ts'
import { groups } from '../declared/groups.ts'

/**
 * Whoever says where backups go, and under which passphrase, reads everything of every tenant: only somebody freshly signed in who
 * holds as much as the highest may. To begin one needs no more than its permission, since it goes where they said.
 */
export function guardSettings(access: Pick<Access, 'requireAuthorityOverAll'>): ConfigGuard {
  return {
    keys: groups.flatMap(({ items }) => items.map(({ key }) => key)),
    async pass({ actor }, trx) {
      if (!actor) return
      requireFreshSignIn(actor)
      await access.requireAuthorityOverAll(actor, 0, trx)
    },
  }
}
