import { Readable } from 'node:stream'
import type { presentAuditRow } from './present.ts'

const columns = ['id', 'created_at', 'actor', 'acting', 'action', 'target', 'before', 'after', 'trace_id'] as const

/** Lines of the log as CSV (RFC 4180) in UTF-8, as fast as they are read. */
export function auditCsv(lines: AsyncIterable<ReturnType<typeof presentAuditRow>>): Readable {
  return Readable.from(write(lines), { objectMode: false })
}

async function* write(lines: AsyncIterable<ReturnType<typeof presentAuditRow>>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${columns.join(',')}\r\n`)
  for await (const line of lines) yield Buffer.from(`${columns.map((column) => csvCell(line[column])).join(',')}\r\n`)
}

/** A value as a cell. What a spreadsheet would take for a formula gets an apostrophe before it, as OWASP advises. */
export function csvCell(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
  const harmless = /^[=+\-@\t\r\n]/.test(text) && typeof value !== 'number' ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
