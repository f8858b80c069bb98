import type { Principal } from '#kernel'
import { getPlugin } from '../shared/find-plugin.ts'
import { PluginRow } from '../shared/models.ts'
import type { ReleaseChangeNeeds } from '../rollbacks/needs.ts'

/** Keeps a plugin at its version, or lets it go on; updates of a pinned one are not taken unless somebody insists. */
export async function pinPlugin(
  { db, audit }: Pick<ReleaseChangeNeeds, 'db' | 'audit'>,
  { id, name }: Pick<PluginRow, 'id' | 'name'>,
  pinned: boolean,
  actor: Principal,
): Promise<void> {
  await db.transaction(async (trx) => {
    await PluginRow.with(trx).findById(id).forUpdate()
    const before = await getPlugin(trx, name)
    if (before.pinned === pinned) return
    await PluginRow.with(trx).findById(id).patch({ pinned, updatedAt: new Date() })
    const action = pinned ? 'plugin.pinned' : 'plugin.unpinned'
    await audit.record({ tenantId: 0, actor, action, target: `plugin:${name}` }, trx)
  })
}
