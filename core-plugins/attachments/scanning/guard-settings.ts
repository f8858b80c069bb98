import { requireFreshSignIn } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConfigGuard } from '../../config/contract.ts'

/**
 * Whoever says where files are looked at, and what becomes of those that nobody looked at, is sent every file of every tenant:
 * only somebody freshly signed in who holds as much as the highest may.
 */
export function guardSettings(access: Pick<Access, 'requireAuthorityOverAll'>): ConfigGuard {
  return {
    // All but how long a scanner may take.
    keys: [
      ...['attachment_scan_mode', 'attachment_scan_address', 'attachment_scan_max_mb', 'attachment_scan_too_large'],
      ...['attachment_scan_when_away', 'attachment_scan_away_minutes'],
    ],
    async pass({ actor }, trx) {
      if (!actor) return
      requireFreshSignIn(actor)
      await access.requireAuthorityOverAll(actor, 0, trx)
    },
  }
}
