import { EgressError, type AppError, type GuardedFetch } from '#kernel'
import { DocumentTooLargeError, DocumentUnreachableError } from '../errors.ts'
import { mostDocumentBytes } from '../limits.ts'

/** What an address answered. */
interface FetchedDocument {
  readonly bytes: Buffer
  readonly mimeType: string
  readonly name: string
}

/** Of sites that answer otherwise later. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/** What a site said that says nothing of the document. */
class PassingFault extends Error {
  constructor(status: number) {
    super(`status ${String(status)}`)
  }
}

/** Whether another attempt may do: a site or a part of the platform that is away for the moment is not the document's fault. */
export function isPassing({ code, cause }: AppError): boolean {
  return Math.floor(code / 10) === 503 || cause instanceof PassingFault
}

const mostRedirects = 5
const timeoutMs = 30_000

/** Asks an address for a document, where each redirect leads to a public address too. Throws 502/5021 and 413/4130. */
export async function fetchDocument(http: GuardedFetch, url: string, signal: AbortSignal): Promise<FetchedDocument> {
  let at = new URL(url)
  try {
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const headers = { accept: 'text/html, text/markdown, text/plain, application/pdf, */*;q=0.5' }
      const limits = { timeoutMs, maxBytes: mostDocumentBytes }
      const answer = await http.fetch({ url: at, method: 'GET', headers, signal, ...limits })
      const location = answer.headers['location']
      const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined
      if (isRedirect) {
        at = new URL(location, at)
        continue
      }
      if (passing.has(answer.status)) throw new DocumentUnreachableError({ cause: new PassingFault(answer.status) })
      if (answer.status !== 200) throw new DocumentUnreachableError({ cause: `status ${String(answer.status)}` })
      return { bytes: answer.body, mimeType: answer.headers['content-type'] ?? 'text/html', name: at.pathname }
    }
  } catch (error) {
    if (error instanceof EgressError && error.reason === 'response_too_large') throw new DocumentTooLargeError()
    if (error instanceof EgressError && error.reason !== 'aborted') throw new DocumentUnreachableError({ cause: error })
    if (error instanceof TypeError) throw new DocumentUnreachableError({ cause: error })
    throw error
  }
  throw new DocumentUnreachableError({ cause: 'too many redirects' })
}
