import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Principal } from '#kernel'
import type { AttachmentFile, AttachmentFiles } from '../../attachments/contract.ts'

/** Files as chats see them: those of one user, never those that others share. */
export class OwnFiles {
  readonly #files: Pick<AttachmentFiles, 'find' | 'open'>

  constructor(files: Pick<AttachmentFiles, 'find' | 'open'>) {
    this.#files = files
  }

  /** The user's own, once it can be read. */
  async find(
    id: string,
    { tenantId, userId }: Pick<Principal, 'tenantId' | 'userId'>,
  ): Promise<AttachmentFile | undefined> {
    const file = await this.#files.find({ tenantId, id }, { userId })
    const isOwn = file?.ownerId === userId && userId !== 0
    return isOwn && file.status === 'ready' ? file : undefined
  }

  /** Throws 404/4045. */
  open({ tenantId, id }: AttachmentFile) {
    return this.#files.open({ tenantId, id })
  }
}

/** All bytes of a file. Throws 404/4045. */
export async function readWhole(files: OwnFiles, file: AttachmentFile, signal: AbortSignal): Promise<Buffer> {
  return buffer(addAbortSignal(signal, await files.open(file)))
}
