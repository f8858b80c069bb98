import { call } from '../api/client.ts'
import { hashFile } from './hash-file.ts'
import { persistently } from './persistently.ts'
import { sendDirect, type DirectLink } from './send-direct.ts'
import { sendChunks, type AnnouncedUpload, type UploadStep } from './send-chunks.ts'
import { demandUploadable, readUploadRules, type UploadRules } from './upload-rules.ts'

/** What became of an upload. */
export interface Uploaded {
  readonly id: string
  /** The server had the bytes already. */
  readonly isInstant: boolean
}

/** What an upload leaves for the next try of it. */
export interface UploadMemory {
  hash?: string
  uploadId?: string
}

interface Announced extends AnnouncedUpload {
  readonly attachment?: { readonly id: string }
  readonly direct?: DirectLink
}

/** What files of one place are for. */
export interface UploadWish {
  readonly usage: 'general' | 'config'
  /** Who may read them; what is usual for their use unless said otherwise. */
  readonly visibility?: 'tenant' | undefined
  /** Throws a FileRefusal for a file that its place would not take, before any of it is sent. */
  readonly check?: (file: File, rules: UploadRules) => void | Promise<void>
}

interface UploadParts extends UploadWish {
  readonly signal: AbortSignal
  readonly tell: (step: UploadStep) => void
  /** Kept by the caller: what was read need not be read again. */
  readonly memory: UploadMemory
}

/**
 * Sends a file: at once where its bytes are known, to where it will lie where that is let, otherwise in chunks, several at a time, and only
 * those that have not come, of whatever try.
 * Throws a FileRefusal before anything is sent, and a Problem for what the server refuses.
 */
export async function uploadFile(file: File, parts: UploadParts): Promise<Uploaded> {
  const { signal, tell, memory, usage, visibility, check } = parts
  const listen = (isWaiting: boolean) => isWaiting && tell({ stage: 'offline', done: 0 })
  const rules = await persistently(() => readUploadRules(signal), signal, listen)
  // What was announced has its room already.
  if (memory.uploadId === undefined) {
    demandUploadable(file, rules)
    await check?.(file, rules)
  }
  memory.hash ??= await hashFile(file, signal, (done) => tell({ stage: 'reading', done }))
  const body = { filename: file.name, size: file.size, hash: memory.hash, usage, ...(visibility && { visibility }) }
  const announced = await persistently(
    () => call<Announced>('POST', '/attachments/preflight', { body, signal }),
    signal,
    listen,
  )
  if (announced.attachment) return { id: announced.attachment.id, isInstant: true }
  memory.uploadId = announced.upload_id
  // What has come in chunks goes on so.
  const isBegun = announced.uploaded_chunks.length > 0
  const direct = isBegun ? undefined : announced.direct
  const id = direct && (await sendDirect(file, announced, direct, signal, tell))
  if (id !== undefined) return { id, isInstant: false }
  return { id: await sendChunks(file, announced, rules.max_parallel_chunks, signal, tell), isInstant: false }
}

/** Gives an upload up, so that it takes no room; one that has ended is let be. */
export async function endUpload({ uploadId }: UploadMemory): Promise<void> {
  if (uploadId === undefined) return
  await call('DELETE', `/attachments/uploads/${uploadId}`).catch(() => undefined)
}
