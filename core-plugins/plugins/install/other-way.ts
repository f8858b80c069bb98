import type { Knex } from 'knex'
import semver from 'semver'
import {
  PluginInstalledError,
  PluginNewerInstalledError,
  ReleaseChangedError,
  ReleaseInstalledError,
} from '../shared/errors.ts'
import { ReleaseRow } from '../shared/models.ts'
import type { IncomingRelease, OfferedRelease } from '../contract-packages.ts'

/** Refuses to install what is installed already; the details have the call that leads from the active release to this one. */
export async function refuseInstalled(
  db: Knex,
  {
    name,
    version,
    treeHash,
    source,
  }: Pick<OfferedRelease, 'name' | 'version' | 'treeHash'> & Pick<IncomingRelease, 'source'>,
  active: Pick<ReleaseRow, 'version' | 'treeHash'>,
): Promise<never> {
  const names = { name, version: active.version }
  if (active.version === version) {
    throw active.treeHash === treeHash ? new ReleaseInstalledError(names) : new ReleaseChangedError(names)
  }
  if (semver.gt(version, active.version)) {
    const call = { method: 'POST', path: `/plugins/${name}/upgrade`, ...bodyOf({ version, source }) }
    throw new PluginInstalledError(names, { details: { version: active.version, call } })
  }
  const kept = await ReleaseRow.with(db).findOne({ name, version })
  const isThere = kept !== undefined || source !== null
  const call = {
    method: 'POST',
    path: `/plugins/${name}/rollback`,
    content_type: 'application/json',
    body: { version },
  }
  throw new PluginNewerInstalledError(names, { details: { version: active.version, ...(isThere && { call }) } })
}

/** What came as a file is sent along once more, what came from an index is named. */
function bodyOf({ version, source }: { readonly version: string; readonly source: string | null }): object {
  if (source === null) return { content_type: 'multipart/form-data', body: { file: 'the package, once more' } }
  return { content_type: 'application/json', body: { version, source } }
}
