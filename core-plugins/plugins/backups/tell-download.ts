import type { Principal } from '#kernel'
import type { BackupNeeds } from './needs.ts'
import type { BackupRow } from './models.ts'

/** Writes into the log of the platform, and of each tenant concerned, who takes a backup away; a tenant that is gone has no log. */
export async function tellDownload(
  { db, audit, tenants }: Pick<BackupNeeds, 'db' | 'audit' | 'tenants'>,
  { plugin, name }: Pick<BackupRow, 'plugin' | 'name'>,
  { concerned, actor }: { readonly concerned: readonly number[]; readonly actor: Principal },
): Promise<void> {
  const known = new Set((await tenants.list()).map(({ id }) => id))
  const entry = { actor, action: 'plugin.backup_downloaded', target: `plugin:${plugin}` }
  await db.transaction(async (trx) => {
    await audit.record({ ...entry, tenantId: 0, after: { backup: name, tenant_ids: concerned } }, trx)
    for (const tenantId of concerned.filter((id) => known.has(id))) {
      await audit.record({ ...entry, tenantId, after: { backup: name } }, trx)
    }
  })
}
