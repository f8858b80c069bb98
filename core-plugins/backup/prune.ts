import { readFileList } from './files/file-list.ts'
import type { BackupManifest } from './manifest.ts'
import type { BackupTarget, ListedBackup } from './target/backup-target.ts'

/** How many backups stay: the latest of each of so many days, and of each of so many weeks. */
export interface Retention {
  readonly days: number
  readonly weeks: number
}

/** The backups that a retention lets go; the latest always stays. */
export function listExpired(backups: readonly ListedBackup[], { days, weeks }: Retention): readonly ListedBackup[] {
  const latestFirst = backups.toSorted((a, b) => (a.made_at < b.made_at ? 1 : -1))
  const kept = new Set(latestFirst.slice(0, 1))
  for (const [most, periodOf] of [
    [days, dayOf],
    [weeks, weekOf],
  ] as const) {
    const seen = new Set<string | number>()
    for (const backup of latestFirst) {
      const period = periodOf(backup.made_at)
      if (seen.has(period)) continue
      if (seen.size === most) break
      seen.add(period)
      kept.add(backup)
    }
  }
  return backups.filter((backup) => !kept.has(backup))
}

/**
 * Deletes backups with every piece that no other backup has; a crash on the way leaves pieces, never a backup without them. What may
 * be deleted is known only while nobody else makes a backup: `confirm` throws once that is not sure any more.
 */
export async function deleteBackups(
  target: BackupTarget,
  gone: readonly ListedBackup[],
  confirm: () => Promise<void>,
): Promise<void> {
  if (gone.length === 0) return
  const unwanted = new Set<string>()
  for (const { id } of gone) {
    const manifest = await target.getManifest(id)
    await eachPiece(target, manifest, (name) => unwanted.add(name))
    await confirm()
    await target.forget(id)
  }
  for (const { id } of await target.list()) {
    await eachPiece(target, await target.getManifest(id), (name) => unwanted.delete(name))
  }
  for (const name of unwanted) {
    await confirm()
    await target.deletePiece(name)
  }
}

async function eachPiece(target: BackupTarget, manifest: BackupManifest, tell: (name: string) => void): Promise<void> {
  const { schema, secrets, files, tables } = manifest
  const parts = [schema, ...(secrets ? [secrets] : []), ...files.lists, ...tables.flatMap((table) => table.parts)]
  for (const list of files.lists) {
    for (const file of readFileList(await target.getPart(list))) tell(target.nameOf('file', file.sha256))
  }
  for (const part of parts) tell(target.nameOf('part', part.sha256))
}

function dayOf(time: string): string {
  return time.slice(0, 10)
}

/** Weeks begin on Monday; the first of January 1970 was a Thursday. */
function weekOf(time: string): number {
  return Math.floor((Date.parse(time) / 86_400_000 + 3) / 7)
}
