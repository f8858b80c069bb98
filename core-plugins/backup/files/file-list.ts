import type { Piece } from '../manifest.ts'
import { BackupError } from '../backup-error.ts'
import { texts } from '../texts/texts.ts'

/** A stored file as the rows of the snapshot know it. */
export interface StoredFile extends Piece {
  readonly ref: string
  readonly location: string
}

/** Every file that an object or a snapshot of objects names; none twice, because a location belongs to one content. */
export const filesQuery = `copy (
  select distinct on (storage_ref, location) storage_ref, location, size, sha256
    from (select storage_ref, location, size, sha256 from storage_objects
          union all select storage_ref, location, size, sha256 from storage_snapshots) as known
   order by storage_ref, location) to stdout`

const line = /^(local|[0-9a-f-]{36})\t([a-z0-9][a-z0-9._/-]*)\t(\d{1,15})\t([0-9a-f]{64})$/

/** The files of a list, which has the text form of COPY. */
export function readFileList(content: Buffer): readonly StoredFile[] {
  return content
    .toString('utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => {
      const [, ref, location, bytes, sha256] = line.exec(text) ?? []
      if (!ref || !location || !sha256) throw new BackupError(texts.keep('notice.backup_file_row'))
      return { ref, location, bytes: Number(bytes), sha256 }
    })
}
