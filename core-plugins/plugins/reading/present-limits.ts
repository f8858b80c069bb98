import { effectiveLimits, type LimitName } from '#sandbox'
import type { PluginRow } from '../shared/models.ts'
import type { HookNeeds } from '../running/needs.ts'
import { getRelease } from '../releases/release-archive.ts'
import { readGrants } from '../running/grants.ts'
import { limitName } from '../running/platform-limits.ts'

/** The limits that a plugin is held to now: what it was granted, under what the platform's configuration says. */
export async function presentLimits(
  { db, sandbox }: Pick<HookNeeds, 'db' | 'sandbox'>,
  { id, name, activeRelease }: PluginRow,
): Promise<Readonly<Record<string, number>>> {
  const { treeHash } = await getRelease(db, activeRelease)
  const { limits } = await readGrants(db, id, treeHash, () => new Set())
  const effective = effectiveLimits(limits, sandbox.services.limits(name))
  return Object.fromEntries(
    (Object.entries(effective) as [LimitName, number][]).map(([limit, value]) => [limitName(limit), value]),
  )
}
