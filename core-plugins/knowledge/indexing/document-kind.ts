import type { DocumentKind } from '../reading/wire.ts'

const kinds: Readonly<Record<string, DocumentKind>> = {
  'text/plain': 'text',
  'text/csv': 'text',
  'text/markdown': 'markdown',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
}
const endings: Readonly<Record<string, DocumentKind>> = {
  ...{ txt: 'text', csv: 'text', log: 'text', md: 'markdown', markdown: 'markdown' },
  ...{ html: 'html', htm: 'html', pdf: 'pdf', docx: 'docx' },
} as const

/** What a document is read as, by its media type and otherwise by how its name ends; undefined for what is not read. */
export function documentKind(mimeType: string, name: string): DocumentKind | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase()
  const byName = ending === undefined ? undefined : endings[ending]
  const byType = kinds[mimeType.split(';')[0]?.trim().toLowerCase() ?? '']
  return byType === 'text' ? (byName === 'markdown' ? 'markdown' : 'text') : (byType ?? byName)
}
