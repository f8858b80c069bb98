import type { Principal } from '#kernel'
import type { Knex } from 'knex'
import type { Audit } from '../../access/contract.ts'
import type { JudgedPlugin } from '../../plugins/contract.ts'
import { RevokedError } from '../errors.ts'
import { RevocationRow } from './models.ts'

/** Throws 409/4094 for a plugin whose release was revoked so that it must not run, unless an administrator said that it may. */
export async function requireRunnable(db: Knex, { id, name, version, treeHash }: JudgedPlugin): Promise<void> {
  const row = await RevocationRow.with(db).findById(id)
  if (row?.action !== 'disable' || row.overriddenAt !== null || row.releaseHash !== treeHash) return
  const { severity, cve, source, reason: why } = row
  throw new RevokedError(
    { name, version, why },
    { details: { severity, cve, source, override: 'override_revocation' } },
  )
}

/** Lets a revoked release run all the same; another revocation, or another release, is another matter. */
export async function overrideRevocation(
  { db, audit }: { readonly db: Knex; readonly audit: Audit },
  { id, name }: Pick<JudgedPlugin, 'id' | 'name'>,
  actor: Principal,
): Promise<void> {
  await db.transaction(async (trx) => {
    const row = await RevocationRow.with(trx).findById(id).forUpdate()
    if (!row || row.overriddenAt !== null) return
    await RevocationRow.with(trx).findById(id).patch({ overriddenBy: actor.userId, overriddenAt: new Date() })
    const { version, action, severity, reason } = row
    const entry = { action: 'plugin.revocation_overridden', target: `plugin:${name}` }
    await audit.record({ tenantId: 0, actor, ...entry, after: { version, action, severity, reason } }, trx)
  })
}

/** What is said against the releases of these plugins, by plugin id. */
export async function findRevocations(
  db: Knex,
  pluginIds: readonly number[],
): Promise<ReadonlyMap<number, ReturnType<typeof presentRevocation>>> {
  const rows = await RevocationRow.with(db).findByIds([...pluginIds])
  return new Map(rows.map((row) => [row.pluginId, presentRevocation(row)]))
}

/** What is said against a release, as it is shown. */
export function presentRevocation(row: RevocationRow) {
  const { version, source, action, asked, severity, reason, cve, kid, overriddenBy, overriddenAt } = row
  return {
    ...{ version, source, action, asked, severity, reason, cve, kid },
    found_at: row.foundAt.toISOString(),
    overridden: overriddenAt === null ? null : { by: overriddenBy, at: overriddenAt.toISOString() },
  }
}
