import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Dialect } from '../../../../core-plugins/ai/wire/dialect.ts'
import { chatCompletions } from '../../../../core-plugins/ai/wire/dialects/chat-completions/dialect.ts'
import { messages } from '../../../../core-plugins/ai/wire/dialects/messages/dialect.ts'
import { responses } from '../../../../core-plugins/ai/wire/dialects/responses/dialect.ts'
import { SseParser } from '../../../../core-plugins/ai/wire/sse.ts'
import type { StreamReader, Vendor, WireEvent } from '../../../../core-plugins/ai/wire/vendor.ts'
import { vendorOf } from '../../../../core-plugins/ai/wire/vendors/vendor-of.ts'

/* What vendors send and are sent, in the forms that their published references show; words and figures are ours. */
const folder = path.join(import.meta.dirname, '../../../fixtures/wire')

export const dialects: readonly Dialect[] = [chatCompletions, responses, messages]
/** Those of the recordings; the last is OpenAI, spoken to at `/responses`. */
export const vendorNames = ['openai_compatible', 'anthropic', 'gemini', 'openai_responses'] as const

/** A JSON file of the recordings. */
export function recorded(file: string): unknown {
  return JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
}

/** Streams by their names, `<vendor>-<what>`. */
export function recordedStreams(): readonly { readonly name: string; readonly events: readonly WireEvent[] }[] {
  return readdirSync(path.join(folder, 'streams')).map((file) => ({
    name: path.basename(file, '.txt'),
    events: new SseParser().push(readFileSync(path.join(folder, 'streams', file))),
  }))
}

/** The vendor of a name. */
export function recordedVendor(name: string): Vendor {
  const vendor = vendorOf(name === 'openai_responses' ? 'openai_compatible' : name)
  if (!vendor) throw new Error(`there is no vendor ${name}`)
  return vendor
}

/** What reads a stream of a vendor. */
export function readerOf(stream: string): StreamReader {
  const [name = ''] = stream.split('-')
  return recordedVendor(name).reader({ wire: name === 'openai_responses' ? 'responses' : undefined })
}
