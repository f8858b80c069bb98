import { startWorker } from '../tab/trusted-worker.ts'
import type { HashMessage } from './hash-worker.ts'
import workerUrl from './hash-worker.ts?worker&url'

/** The SHA-256 of a file, read by a worker of its own; `onRead` hears how many bytes were read. */
export function hashFile(file: File, signal: AbortSignal, onRead: (bytes: number) => void): Promise<string> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const worker = startWorker(workerUrl)
  const abort = () => reject(signal.reason as Error)
  worker.onmessage = ({ data }: MessageEvent<HashMessage>) => {
    if ('read' in data) onRead(data.read)
    else if ('hash' in data) resolve(data.hash)
    else reject(new Error(data.fault))
  }
  worker.onerror = () => reject(new Error('the file could not be read'))
  signal.addEventListener('abort', abort)
  worker.postMessage(file)
  return promise.finally(() => {
    worker.terminate()
    signal.removeEventListener('abort', abort)
  })
}
