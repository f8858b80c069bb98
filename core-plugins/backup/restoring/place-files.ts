import { Readable } from 'node:stream'
import { eachOf } from '../files/each-of.ts'
import { readFileList } from '../files/file-list.ts'
import type { Volumes } from '../volumes.ts'
import type { BackupManifest } from '../manifest.ts'
import type { Progress } from '../progress.ts'
import type { BackupTarget } from '../target/backup-target.ts'

const parallel = 4

/** Puts the files of a backup where its rows look for them, each whole or not at all. */
export async function placeFiles(
  manifest: BackupManifest,
  {
    target,
    volumes,
    progress,
  }: { readonly target: BackupTarget; readonly volumes: Volumes; readonly progress: Progress },
): Promise<void> {
  const missing = new Set(manifest.files.missing)
  let placed = 0
  for (const list of manifest.files.lists) {
    await eachOf(readFileList(await target.getPart(list)), parallel, async (file) => {
      if (!volumes.isCopied(file.ref) || missing.has(`${file.ref}:${file.location}`)) return
      const content = Readable.from(await target.getFile(file), { objectMode: false })
      await volumes.get(file.ref).put(file.location, content, { size: file.bytes })
      placed++
    })
  }
  progress(`files: ${placed} are in place`)
}
