import type { Route, RouteAnswer, Schema } from './route.ts'

/** An answer that a route gives, in full. */
export type KnownAnswer =
  | { readonly status: number; readonly kind: 'data' | 'bare'; readonly schema: Schema | undefined }
  | { readonly status: number; readonly kind: 'file'; readonly types: readonly string[] }
  | { readonly status: number; readonly kind: 'nothing' }

const json = 'application/json'

/** The answers that a route may give; undefined where others decide. */
export function knownAnswers({ answers, produces, schema }: Route): readonly KnownAnswer[] | undefined {
  if (answers === 'any') return undefined
  if (answers) return answers.map((answer) => inFull(answer, schema?.response))
  const files = (produces ?? []).filter((type) => type !== json)
  return [
    ...(files.length > 0 ? [{ status: 200, kind: 'file', types: files } as const] : []),
    ...(produces && !produces.includes(json) ? [] : [{ status: 200, kind: 'data', schema: schema?.response } as const]),
  ]
}

/** Whether the body of an answer with this status is empty, whoever gives it. */
export function hasNoBody(status: number): boolean {
  return status === 204 || (status >= 300 && status < 400)
}

function inFull(answer: RouteAnswer, response: Schema | undefined): KnownAnswer {
  if (typeof answer === 'number') {
    return hasNoBody(answer) ? { status: answer, kind: 'nothing' } : { status: answer, kind: 'data', schema: response }
  }
  const { status = 200 } = answer
  if (!('types' in answer)) {
    return { status, kind: answer.isBare ? 'bare' : 'data', schema: answer.schema ?? response }
  }
  return answer.types.length > 0 ? { status, kind: 'file', types: answer.types } : { status, kind: 'nothing' }
}
