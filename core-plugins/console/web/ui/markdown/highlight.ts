import { startWorker } from '../../tab/trusted-worker.ts'
import { trustedCode } from '../../tab/trusted.ts'
import workerUrl from './highlight-worker.ts?worker&url'
import type { ToHighlight } from './highlight-worker.ts'

/** Longer code is shown plain. */
const mostCharacters = 20_000
/** A text that takes longer is given up, with the worker that it keeps busy. */
const patienceMs = 3_000

let worker: Worker | undefined
let last: Promise<unknown> = Promise.resolve()

/** Code with its parts marked, as HTML that the page may show; nothing for a language that nobody knows, or too much of it. */
export function highlight(text: string, said: string): Promise<string | undefined> {
  if (text.length > mostCharacters) return Promise.resolve(undefined)
  const marked = last.then(() => ask({ text, said }))
  last = marked
  return marked
}

async function ask(wanted: ToHighlight): Promise<string | undefined> {
  const asked = (worker ??= startWorker(workerUrl))
  const { promise, resolve } = Promise.withResolvers<string>()
  asked.onmessage = ({ data }: MessageEvent<string>) => resolve(data)
  const giveUp = () => {
    asked.terminate()
    if (worker === asked) worker = undefined
    resolve('')
  }
  asked.onerror = giveUp
  const timer = setTimeout(giveUp, patienceMs)
  asked.postMessage(wanted)
  const html = await promise
  clearTimeout(timer)
  return html === '' ? undefined : trustedCode(html)
}
