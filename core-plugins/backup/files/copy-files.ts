import type { BackupManifest, Piece } from '../manifest.ts'
import { BackupError } from '../backup-error.ts'
import { databasePercent, presentBytes, type Progress } from '../progress.ts'
import type { BackupTarget } from '../target/backup-target.ts'
import { eachOf } from './each-of.ts'
import { readFileList, type StoredFile } from './file-list.ts'
import type { Volumes } from '../volumes.ts'

const parallel = 4
const progressEvery = 500

/** What became of the files. */
export type CopiedFiles = Omit<BackupManifest['files'], 'lists'> & {
  /** Files that were not at the target before. */
  readonly sent: number
}

/** Sends the files of these lists to the target, except those that it has; names those whose bytes are gone or others. */
export async function copyFiles(
  lists: readonly Piece[],
  {
    target,
    volumes,
    progress,
    signal,
  }: {
    readonly target: BackupTarget
    readonly volumes: Volumes
    readonly progress: Progress
    readonly signal?: AbortSignal | undefined
  },
): Promise<CopiedFiles> {
  const missing: string[] = []
  let [count, bytes, elsewhere, sent, percent] = [0, 0, 0, 0, databasePercent]

  async function copy(file: StoredFile): Promise<void> {
    signal?.throwIfAborted()
    if (!volumes.isCopied(file.ref)) {
      elsewhere++
      return
    }
    if (!(await target.hasFile(file))) {
      if (!(await send(file))) {
        missing.push(`${file.ref}:${file.location}`)
        return
      }
      sent++
    }
    count++
    bytes += file.bytes
    if (count % progressEvery === 0) progress(`files: ${count}, ${presentBytes(bytes)}, ${sent} of them new`, percent)
  }

  async function send(file: StoredFile): Promise<boolean> {
    const found = await volumes.get(file.ref).get(file.location)
    if (!found) return false
    try {
      await target.putFile(file, found.content as AsyncIterable<Buffer>)
      return true
    } catch (error) {
      // The bytes are not those that were stored; everything else is a fault of the target or of the way there.
      if (error instanceof BackupError) return false
      throw error
    } finally {
      found.content.destroy()
    }
  }

  for (const list of lists) {
    await eachOf(readFileList(await target.getPart(list)), parallel, copy)
    percent += (100 - databasePercent) / lists.length
  }
  progress(
    `files: ${count}, ${presentBytes(bytes)}, ${sent} of them new${elsewhere > 0 ? `; ${elsewhere} lie elsewhere` : ''}`,
    100,
  )
  return { count, bytes, elsewhere, missing, sent }
}
