import type { Knex } from 'knex'
import type { PluginRow, ReleaseRow } from '../shared/models.ts'
import { findPendingConsent } from './wider-rights.ts'
import { asksForConsent, firstConsent, type ConsentRequest } from './consent-request.ts'

/** What an administrator is asked about a plugin now: for the release that waits beside the active one, or for the first. */
export async function findConsent(
  db: Knex,
  plugin: PluginRow,
  { active, pending }: { readonly active: ReleaseRow; readonly pending: ReleaseRow | undefined },
): Promise<ConsentRequest | undefined> {
  if (pending) return findPendingConsent(db, plugin, pending)
  return plugin.status === 'awaiting_consent' && asksForConsent(active.manifest) ? firstConsent(active) : undefined
}
