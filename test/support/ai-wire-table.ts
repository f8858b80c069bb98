import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '#kernel'
import type { Dialect } from '../../core-plugins/ai/wire/dialect.ts'
import { chatCompletions } from '../../core-plugins/ai/wire/dialects/chat-completions/dialect.ts'
import { messages } from '../../core-plugins/ai/wire/dialects/messages/dialect.ts'
import { responses } from '../../core-plugins/ai/wire/dialects/responses/dialect.ts'
import { vendorOf } from '../../core-plugins/ai/wire/vendors/vendor-of.ts'
import { probes, type Probe } from './ai-wire-probes.ts'

const vendors = ['openai_compatible', 'openai_compatible, `responses`', 'anthropic', 'gemini'] as const
const dialects: readonly Dialect[] = [chatCompletions, responses, messages]
const readme = path.join(import.meta.dirname, '..', '..', 'core-plugins', 'ai', 'README.md')
const [begin, end] = ['<!-- carries: made by node test/support/ai-wire-table.ts -->', '<!-- carries: end -->']

/** The cells of the table as the codecs answer each probe now, its head first. */
export function wireTable(): readonly (readonly string[])[] {
  const head = ['client says', 'in', ...vendors]
  const rows = dialects.flatMap((dialect) =>
    probes.flatMap((probe) => {
      const body = probe[dialect.name]
      return body ? [[probe.what, dialect.name, ...vendors.map((vendor) => outcome(dialect, vendor, body))]] : []
    }),
  )
  return [head, ...rows]
}

/** The cells of the table as it is published. */
export function publishedTable(): readonly (readonly string[])[] {
  const text = readFileSync(readme, 'utf8')
  const lines = text
    .slice(text.indexOf(begin) + begin.length, text.indexOf(end))
    .trim()
    .split('\n')
  const rows = lines.filter((line) => line.startsWith('|') && !/^\|[\s|:-]+\|$/.test(line))
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

function outcome(dialect: Dialect, type: string, body: NonNullable<Probe['messages']>): string {
  const [name = '', capability] = type.split(', ')
  const capabilities = capability === undefined ? {} : { responses: true }
  const options = { upstreamModel: 'm', secrets: {}, maxOutputTokens: 4096, capabilities }
  try {
    const call = vendorOf(name)?.chat(dialect.read({ ...base(dialect), ...body }), options)
    const dropped = call?.dropped ?? []
    return dropped.length === 0 ? 'carried' : `dropped: ${dropped.map((field) => `\`${field}\``).join(', ')}`
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `400: \`${error.errors?.[0]?.field ?? error.reason}\``
  }
}

function base({ name }: Dialect): object {
  if (name === 'responses') return { model: 'm', input: 'Hi' }
  const said = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
  return name === 'messages' ? { ...said, max_tokens: 4096 } : said
}

if (import.meta.main) {
  const [head = [], ...rows] = wireTable()
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  const text = readFileSync(readme, 'utf8')
  writeFileSync(
    readme,
    `${text.slice(0, text.indexOf(begin) + begin.length)}\n\n${table}\n\n${text.slice(text.indexOf(end))}`,
  )
}
