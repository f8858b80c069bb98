import { readReleaseTables } from '../tables/release-tables.ts'
import type { ReleaseTables } from '../tables/own-tables.ts'
import { getKept } from './keep-fetched.ts'
import { planData } from './plan-data.ts'
import type { Rollback } from './rollback.ts'

/** Tries the release, and plans what becomes of the rows: whatever is wrong with it shows here, before anything has changed. */
export async function loadRelease(rollback: Rollback): Promise<void> {
  const { parts, plugin, to, request } = rollback
  const { id, name } = plugin
  const release = await getKept(rollback)
  const target = await parts.loader.prepare({ id, name, releaseId: release.id })
  await parts.sandbox.checkLoad(target.release)
  const tables = { from: await readActive(rollback), to: await readReleaseTables(target.release) }
  const turn = { ...tables, release, backup: to.backup }
  rollback.plan = { turn, data: await planData(parts, turn, request) }
}

/** The files of the release in use may be what is broken; then the way back over its migrations is not known. */
async function readActive({ parts, plugin: { id, name }, from }: Rollback): Promise<ReleaseTables> {
  try {
    const { release } = await parts.loader.prepare({ id, name, releaseId: from.id })
    return await readReleaseTables(release)
  } catch (error) {
    parts.log.warn({ err: error, plugin: name, version: from.version }, 'the release in use cannot be read')
    return { manifest: from.manifest, migrations: [], files: [] }
  }
}
