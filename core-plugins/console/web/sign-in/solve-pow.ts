import { startWorker } from '../tab/trusted-worker.ts'
import workerUrl from './pow-worker.ts?worker&url'
import type { PowMessage, PowTask } from './pow-worker.ts'

/** Solves a captcha of work in a worker; `onShare` hears how much of the numbers was tried, from 0 to 1. */
export function solvePow(task: PowTask, signal: AbortSignal, onShare: (share: number) => void): Promise<string> {
  signal.throwIfAborted()
  const worker = startWorker(workerUrl)
  const ended = new AbortController()
  const solved = new Promise<string>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<PowMessage>) => {
      if ('share' in data) onShare(data.share)
      else if (data.number === undefined) reject(new Error('no number fits'))
      else resolve(solutionOf(task, data.number))
    }
    worker.onerror = () => reject(new Error('the captcha could not be solved'))
    signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: ended.signal })
    worker.postMessage(task)
  })
  return solved.finally(() => {
    worker.terminate()
    ended.abort()
  })
}

function solutionOf({ algorithm, challenge, salt, signature }: PowTask, number: number): string {
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }))
}
