import { Problem } from '../session/problem.ts'
import { completeUpload, type AnnouncedUpload, type UploadStep } from './send-chunks.ts'

/** Where bytes may be put without the platform between. */
export interface DirectLink {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** For how long a place that lets no script of ours in, or takes nothing from it, is not asked again. */
const refusedMs = 10 * 60_000
/** Places that do not, and since when. */
const refusedSince = new Map<string, number>()

/**
 * Puts a file where it will lie; answers the attachment that it became, and undefined where that place does not take it from here: then it goes
 * through the platform, in chunks, which a network that comes and goes does not begin anew.
 */
export async function sendDirect(
  file: File,
  { upload_id: id }: AnnouncedUpload,
  { url, headers }: DirectLink,
  signal: AbortSignal,
  tell: (step: UploadStep) => void,
): Promise<string | undefined> {
  const { origin } = new URL(url)
  if (performance.now() - (refusedSince.get(origin) ?? -refusedMs) < refusedMs) return undefined
  tell({ stage: 'sending', done: 0 })
  const end = await put(file, url, headers, signal, (done) => tell({ stage: 'sending', done }))
  // Each file would be sent twice.
  if (end === 'refused') refusedSince.set(origin, performance.now())
  if (end !== 'taken') return undefined
  try {
    return await completeUpload(id, signal)
  } catch (problem) {
    if (problem instanceof Problem && problem.details['cause'] === 'incomplete') return undefined
    throw problem
  }
}

/** As fetch tells nothing of what has gone, by the older way. */
function put(
  file: File,
  url: string,
  headers: DirectLink['headers'],
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<'taken' | 'refused' | 'cut'> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    let hasBegun = false
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => {
      hasBegun = true
      onSent(Math.min(loaded, file.size))
    }
    request.onload = () => resolve(request.status >= 200 && request.status < 300 ? 'taken' : 'refused')
    // The browser asks before it sends anything; without a network it gets no answer either.
    request.onerror = () => resolve(hasBegun || !navigator.onLine ? 'cut' : 'refused')
    request.onabort = () => reject(signal.reason as Error)
    request.onloadend = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort)
    request.send(file)
  })
}
