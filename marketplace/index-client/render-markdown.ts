import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { indexLimits } from '../index-format/index-limits.ts'
import { markdownToHtml, type MarkdownOptions } from './markdown-to-html.ts'

/** What is longer may be written to take seconds, and is rendered beside everything else. */
const short = 16_384
const maxMs = 5_000

let last: Promise<unknown> = Promise.resolve()

/** Renders Markdown as safe HTML, up to 256 KB of it; a text that takes more than five seconds is shown as it was written. */
export async function renderMarkdown(text: string, options: MarkdownOptions = {}): Promise<string> {
  const bounded = text.slice(0, indexLimits.readmeBytes)
  if (bounded.length <= short) return markdownToHtml(bounded, options)
  // One at a time: many long texts must not take all processors.
  const rendered = last.then(() => renderApart(bounded, options))
  // One that could not even begin must not hold up those after it.
  last = rendered.catch(() => undefined)
  return rendered
}

async function renderApart(text: string, options: MarkdownOptions): Promise<string> {
  const worker = new Worker(new URL('./render-markdown-worker.ts', import.meta.url), {
    workerData: { text, options },
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  try {
    const [html] = (await once(worker, 'message', { signal: AbortSignal.timeout(maxMs) })) as [string]
    return html
  } catch {
    return `<pre>${escapeHtml(text)}</pre>`
  } finally {
    await worker.terminate()
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
