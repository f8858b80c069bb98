import { sendForm } from '../api/send-form.ts'
import { Problem } from '../session/problem.ts'
import { persistently } from './persistently.ts'

/** How far an upload is, in bytes of its file. */
export interface UploadStep {
  readonly stage: 'reading' | 'sending' | 'offline'
  readonly done: number
}

/** An upload as it was announced: what of it is to come, and what has. */
export interface AnnouncedUpload {
  readonly upload_id: string
  readonly chunk_size: number
  readonly chunk_count: number
  readonly uploaded_chunks: readonly number[]
}

type ChunkAnswer = { readonly completed: false } | { readonly id: string }

/** Sends the chunks of a file that have not come, so many at a time, each again where it fails; answers the attachment they became. */
export async function sendChunks(
  file: File,
  { upload_id: id, chunk_size: size, chunk_count: count, uploaded_chunks: there }: AnnouncedUpload,
  most: number,
  outer: AbortSignal,
  tell: (step: UploadStep) => void,
): Promise<string> {
  const ended = new AbortController()
  const signal = AbortSignal.any([outer, ended.signal])
  const partOf = (index: number) => file.slice(index * size, (index + 1) * size)
  const sent = new Map(there.map((index) => [index, partOf(index).size]))
  const offline = new Set<number>()
  const missing = Array.from({ length: count }, (_, index) => index).filter((index) => !sent.has(index))
  let made: string | undefined
  const show = () => {
    const done = [...sent.values()].reduce((sum, bytes) => sum + bytes, 0)
    tell({ stage: offline.size > 0 ? 'offline' : 'sending', done })
  }
  const sendPart = async (index: number) => {
    const part = partOf(index)
    const form = new FormData()
    // What says which chunk it is stands before it.
    form.append('upload_id', id)
    form.append('chunk_index', String(index))
    form.append('file', part, file.name)
    const onSent = (bytes: number) => {
      sent.set(index, Math.min(bytes, part.size))
      show()
    }
    const onWaiting = (isWaiting: boolean) => {
      offline[isWaiting ? 'add' : 'delete'](index)
      show()
    }
    const ask = () =>
      sendForm<ChunkAnswer>('/attachments/upload', form, { signal, onSent }).catch(async (problem: unknown) => {
        // A file that was changed or moved since is to browsers as a network that is lost, and never comes back.
        if (problem instanceof Problem && problem.status === 0) await part.slice(0, 1).arrayBuffer()
        throw problem
      })
    const answer = await persistently(ask, signal, onWaiting)
    sent.set(index, part.size)
    if ('id' in answer) made = answer.id
    show()
  }
  const work = async () => {
    for (let index = missing.shift(); index !== undefined; index = missing.shift()) await sendPart(index)
  }
  show()
  try {
    await Promise.all(Array.from({ length: Math.max(1, most) }, work))
  } catch (problem) {
    ended.abort(problem)
    throw problem
  }
  return made ?? completeUpload(id, signal)
}

/** Says that all of an upload has come: the attachment is made of it now. */
export async function completeUpload(id: string, signal: AbortSignal): Promise<string> {
  const form = new FormData()
  form.append('upload_id', id)
  form.append('complete', 'true')
  const ask = () => sendForm<{ readonly id: string }>('/attachments/upload', form, { signal, onSent: () => undefined })
  return (await persistently(ask, signal, () => undefined)).id
}
