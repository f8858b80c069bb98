import { effectScope } from 'vue'
import { call } from '../api/client.ts'
import { createUploadQueue, type UploadQueue } from '../files/upload-queue.ts'
import { FileRefusal } from '../files/upload-rules.ts'
import { say } from '../tab/i18n.ts'
import { byteSize } from '../ui/times.ts'

/** What documents are read from. */
const endings = ['txt', 'md', 'markdown', 'csv', 'log', 'html', 'htm', 'pdf', 'docx']
const mostBytes = 32 * 1_048_576
const queues = new Map<string, UploadQueue>()

/** The kinds of files that become documents, as a field for files takes them. */
export const documentTypes = endings.map((ending) => `.${ending}`).join(',')

/** The files on their way into a knowledge base; they go on while other pages are shown. */
export function documentUploads(path: string): UploadQueue {
  const found = queues.get(path)
  if (found) return found
  // It stays when the page goes that asked for it first.
  const made = effectScope(true).run(() =>
    createUploadQueue({
      usage: 'general',
      check: demandDocument,
      onArrived: async ({ id }) => {
        await call('POST', `${path}/documents`, { body: { attachment_id: id } })
      },
    }),
  ) as UploadQueue
  queues.set(path, made)
  return made
}

function demandDocument({ name, size }: File): void {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (!endings.includes(ending)) throw new FileRefusal(say('files.wrongKind', { name, allowed: endings.join(', ') }))
  if (size <= mostBytes) return
  throw new FileRefusal(say('files.tooLarge', { name, size: byteSize(size), most: byteSize(mostBytes) }))
}
