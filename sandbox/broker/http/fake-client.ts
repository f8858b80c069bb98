import { EgressError, type GuardedFetch, type GuardedRequest, type GuardedResponse } from '#kernel'
import type { FakeAnswer, SentRequest } from '../../capabilities/outside.ts'

/** Answers requests from a table; what the table does not have cannot be reached. `sent` is added to. */
export function createFakeClient(answers: Readonly<Record<string, FakeAnswer>>, sent: SentRequest[]): GuardedFetch {
  const unreachable = (what: string): EgressError =>
    new EgressError('connection_failed', `No answer for ${what} was given to this test`)
  return {
    fetch({ url, method, headers = {}, body, maxBytes }: GuardedRequest) {
      const request = { method, url: url.href, headers, body: body === undefined ? undefined : String(body) }
      sent.push(request)
      const name = `${method} ${url.origin}${url.pathname}`
      const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
      if (answer === undefined) return Promise.reject(unreachable(name))
      const response = toResponse(answer, request)
      if (maxBytes === undefined || response.body.length <= maxBytes) return Promise.resolve(response)
      return Promise.reject(new EgressError('response_too_large', 'The answer is too large'))
    },
    stream: ({ url }) => Promise.reject(unreachable(url.href)),
    check: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

function toResponse(answer: FakeAnswer, request: SentRequest): GuardedResponse {
  if (typeof answer === 'function') return toResponse(answer(request), request)
  const { status = 200, headers = {}, body = null } = answer
  const isText = typeof body === 'string'
  const type = { 'content-type': isText ? 'text/plain' : 'application/json' }
  return { status, headers: { ...type, ...headers }, body: Buffer.from(isText ? body : JSON.stringify(body)) }
}
