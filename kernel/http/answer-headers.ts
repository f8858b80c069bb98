import type { RequestContext } from './request-context.ts'

/** Headers of an answer by lower-case name. */
export type AnswerHeaders = Record<string, string>

/** What every answer carries, and what the pipeline added for this one. */
export function pipelineHeaders(
  ctx: Pick<RequestContext, 'pipelineHeaders' | 'traceId'> & { readonly server: { readonly isDraining: boolean } },
): AnswerHeaders {
  return {
    'x-trace-id': ctx.traceId,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(ctx.server.isDraining && { connection: 'close' }),
    ...ctx.pipelineHeaders,
  }
}

/** Adds headers by their lower-case names; the later ones win, but what an answer varies by adds up. */
export function addHeaders(headers: AnswerHeaders, more: Readonly<Record<string, string>>): void {
  for (const name in more) {
    const lower = name.toLowerCase()
    if (lower === 'vary') addVary(headers, more[name] as string)
    else headers[lower] = more[name] as string
  }
}

/** Adds a name to the Vary header. */
export function addVary(headers: AnswerHeaders, name: string): void {
  headers['vary'] = headers['vary'] === undefined ? name : `${headers['vary']}, ${name}`
}
