import { createRequire } from 'node:module'
import { ReadingFaultError } from './reading-fault.ts'
import type { Block, ReadingTask } from './wire.ts'

/** What is used of a page's text. */
interface PdfPage {
  getTextContent(): Promise<{ readonly items: readonly { readonly str?: string; readonly hasEOL?: boolean }[] }>
  cleanup(): void
}

/** What is used of the parser, which only this process loads. */
interface PdfParser {
  getDocumentProxy(
    bytes: Uint8Array,
    options: object,
  ): Promise<{ readonly numPages: number; getPage(number: number): Promise<PdfPage> }>
}

const load = createRequire(import.meta.url)

/** The text of a PDF, page by page. */
export async function pdfBlocks(bytes: Buffer, { mostPages, mostCharacters }: ReadingTask): Promise<Block[]> {
  const parser = load('unpdf') as PdfParser
  const pdf = await parser.getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  if (pdf.numPages > mostPages) throw new ReadingFaultError('too_large', `${String(pdf.numPages)} pages`)
  const blocks: Block[] = []
  let characters = 0
  for (let page = 1; page <= pdf.numPages; page++) {
    const opened = await pdf.getPage(page)
    const { items } = await opened.getTextContent()
    opened.cleanup()
    const text = items.map(({ str = '', hasEOL }) => str + (hasEOL ? '\n' : '')).join('')
    characters += text.length
    if (characters > mostCharacters)
      throw new ReadingFaultError('too_large', `more than ${String(mostCharacters)} characters`)
    const said = text.replace(/[ \t]+/g, ' ').trim()
    if (said !== '') blocks.push({ headings: [], page, text: said })
  }
  return blocks
}
