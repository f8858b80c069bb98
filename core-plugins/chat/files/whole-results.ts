import type { Logger, Principal } from '#kernel'
import type { AttachmentFiles } from '../../attachments/contract.ts'

/** A call that was answered. */
interface AnsweredCall {
  readonly id: string
  readonly name: string
}

/** It goes unless the answer that it belongs to is kept by then. */
const ttlSeconds = 3_600

/** Keeps what tools answered where that is more than a model reads: as files of the user's. */
export class WholeResults {
  readonly #files: Pick<AttachmentFiles, 'create'>
  readonly #log: Logger

  constructor(files: Pick<AttachmentFiles, 'create'>, log: Logger) {
    this.#files = files
    this.#log = log
  }

  /** Answers the file's id; undefined where there is no room for it, or it cannot be kept: then the model is told what fits alone. */
  async keep(
    { tenantId, userId }: Pick<Principal, 'tenantId' | 'userId'>,
    { id, name }: AnsweredCall,
    bytes: Buffer,
  ): Promise<string | undefined> {
    const filename = `${name.replace(/[^\w-]/g, '_').slice(0, 64)}-${id.replace(/[^\w-]/g, '_').slice(-12)}.txt`
    const about = { tenantId, ownerId: userId, filename, usage: 'chat', from: 'platform', ttlSeconds } as const
    try {
      return (await this.#files.create({ ...about, content: onePiece(bytes), mostBytes: bytes.length })).id
    } catch (error) {
      this.#log.info({ err: error, call_id: id }, 'the whole answer of a tool was not kept')
      return undefined
    }
  }
}

async function* onePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes)
}
