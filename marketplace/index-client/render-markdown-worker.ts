import { parentPort, workerData } from 'node:worker_threads'
import { markdownToHtml, type MarkdownOptions } from './markdown-to-html.ts'

const { text, options } = workerData as { readonly text: string; readonly options: MarkdownOptions }
parentPort?.postMessage(markdownToHtml(text, options))
