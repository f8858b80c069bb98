import type { Said } from '#kernel'
import { listStrayFolders } from '../releases/stray-folders.ts'
import type { PluginRow, ReleaseRow } from '../shared/models.ts'
import type { RepairNeeds } from './needs.ts'
import { texts } from '../texts/texts.ts'
import { readArchiveState, type ArchiveState } from './archive-state.ts'
import { fault, fine, type Finding } from './finding.ts'
import { readTableState, type TableState } from './table-state.ts'

/** What was found of a plugin, before anything is done about it. */
export interface Inspection {
  readonly archive: ArchiveState
  /** Whether this host has the release as it was signed. */
  readonly isUnpacked: boolean
  readonly tables: TableState
  /** Folders of this host that belong to no release that is kept. */
  readonly folders: readonly string[]
  readonly findings: readonly Finding[]
}

/** Looks a plugin over and changes nothing; `canTake` says whether its package can be had from elsewhere. */
export async function inspect(
  { db, store, storage }: Pick<RepairNeeds, 'db' | 'store' | 'storage'>,
  { name, status }: Pick<PluginRow, 'name' | 'status'>,
  release: ReleaseRow,
  canTake: boolean,
): Promise<Inspection> {
  const archive = await readArchiveState({ db, storage }, release)
  const isUnpacked = await store.verify(release)
  const tables = await readTableState(db, release.manifest)
  const folders = await listStrayFolders({ db, store }, name)
  const canUnpack = isUnpacked || archive === 'whole' || canTake
  const findings = [
    archiveFinding(archive, release, canTake),
    isUnpacked ? fine('files') : filesFinding(release, canUnpack),
    // Its tables are made when it is allowed what it asks for.
    ...(status === 'awaiting_consent' ? [] : tableFindings(tables, release, canUnpack)),
    strayFinding(tables, folders),
  ]
  return { archive, isUnpacked, tables, folders, findings }
}

/** What an administrator does when the package cannot be had. */
export function howToGetIt({ name, version }: Pick<ReleaseRow, 'name' | 'version'>): Said {
  return texts.keep('notice.upload_again', { name, version })
}

function filesFinding(release: ReleaseRow, canUnpack: boolean): Finding {
  if (!canUnpack) return fault('files', 'manual', howToGetIt(release))
  return fault('files', 'unpacked_again', texts.keep('notice.files_differ'))
}

function archiveFinding(archive: ArchiveState, release: ReleaseRow, canTake: boolean): Finding {
  if (archive === 'whole') return fine('package')
  const state = texts.keep(`notice.package_${archive}`)
  if (canTake) return fault('package', 'taken_again', state)
  return fault('package', 'manual', texts.keep('notice.package_manual', { state, remedy: howToGetIt(release) }))
}

function tableFindings(tables: TableState, { manifest }: ReleaseRow, canUnpack: boolean): readonly Finding[] {
  const { missing, open, closed, isEmptied } = tables
  if (!manifest.db) return []
  // Migrations are read from the package.
  const mended = <A extends NonNullable<Finding['action']>>(action: A) => (canUnpack ? action : 'manual')
  const areTables = () => {
    if (missing.length === 0) return fine('tables')
    if (isEmptied || tables.applied.length === 0) {
      return fault('tables', mended('made_empty'), texts.keep('notice.tables_none', { tables: missing.join(', ') }))
    }
    return fault('tables', 'manual', texts.keep('notice.tables_gone', { tables: missing.join(', ') }))
  }
  const withoutFence = texts.keep('notice.fences_open', { tables: open.join(', ') })
  return [
    areTables(),
    open.length === 0 ? fine('fences') : fault('fences', 'fenced', withoutFence),
    closed?.length === 0
      ? fine('role')
      : fault(
          'role',
          mended('granted'),
          closed ? texts.keep('notice.role_closed', { tables: closed.join(', ') }) : texts.keep('notice.role_none'),
        ),
  ]
}

function strayFinding({ stray }: TableState, folders: readonly string[]): Finding {
  const found = [...stray, ...folders]
  return found.length === 0 ? fine('strays') : fault('strays', 'dropped', { words: found.join(', ') })
}
