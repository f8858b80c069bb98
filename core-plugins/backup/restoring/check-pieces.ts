import { eachOf } from '../files/each-of.ts'
import { readFileList } from '../files/file-list.ts'
import type { BackupManifest } from '../manifest.ts'
import { presentBytes, type Progress } from '../progress.ts'
import type { BackupTarget } from '../target/backup-target.ts'

const parallel = 4

/** Reads every piece of a backup to its end; throws a BackupError at the first that is missing or not as it was written. */
export async function checkPieces(target: BackupTarget, manifest: BackupManifest, progress: Progress): Promise<void> {
  const { tables, schema, secrets, files } = manifest
  const parts = [schema, ...(secrets ? [secrets] : []), ...files.lists, ...tables.flatMap((table) => table.parts)]
  await eachOf(parts, parallel, async (part) => void (await target.getPart(part)))
  progress(`checked: ${parts.length} parts of ${tables.length} tables`)
  const copied = new Set(manifest.volumes.flatMap((volume) => (volume.copied ? [volume.ref] : [])))
  const missing = new Set(files.missing)
  let bytes = 0
  for (const list of files.lists) {
    const wanted = readFileList(await target.getPart(list)).filter(
      ({ ref, location }) => copied.has(ref) && !missing.has(`${ref}:${location}`),
    )
    await eachOf(wanted, parallel, async (file) => {
      for await (const chunk of await target.getFile(file)) bytes += chunk.length
    })
  }
  progress(`checked: ${files.count} files, ${presentBytes(bytes)}`)
}
