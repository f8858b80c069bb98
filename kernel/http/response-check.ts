import { responseMismatch } from '../programming-errors.ts'
import { hasNoBody, knownAnswers, type KnownAnswer } from './answers.ts'
import { mediaTypeOf } from './media-type.ts'
import { asReply, type Reply } from './reply.ts'
import type { Route } from './route.ts'
import { compileSchemaCheck, type SchemaCheck } from './schema-check.ts'

type Answer = KnownAnswer & { readonly check?: SchemaCheck }
/** What goes out: text where it is JSON. */
interface Given {
  readonly status: number
  readonly kind: KnownAnswer['kind']
  readonly type: string
  readonly text?: string
}

const json = 'application/json'

/** A check that throws where an answer is none that /openapi.json tells of its route; for tests. */
export function compileResponseCheck(
  route: Route,
  name: string,
  when: 'lazily' | 'at-once',
): ((value: unknown) => void) | undefined {
  const known = route.hidden ? undefined : knownAnswers(route)
  if (known === undefined) return undefined
  const answers = known.map((answer): Answer => {
    const schema = 'schema' in answer ? answer.schema : undefined
    return schema === undefined ? answer : { ...answer, check: compileSchemaCheck(schema, 'exact', when) }
  })
  return (value) => {
    const reply = asReply(value)
    const given = describeReply(reply)
    const alike = answers.filter((answer) => isAlike(answer, given))
    if (alike.length === 0)
      throw responseMismatch(name, `${given.status} with ${given.type || given.kind} is none of its answers`)
    if (route.method === 'get' && 'etag' in reply.body && !answers.some(({ status }) => status === 304))
      throw responseMismatch(name, 'it has an entity tag, and 304 is none of its answers')
    if (given.text !== undefined) demandFitting(name, JSON.parse(given.text), alike)
  }
}

function demandFitting(name: string, data: unknown, alike: readonly Answer[]): void {
  if (alike.some(({ check }) => check === undefined || check.isValid(data))) return
  const faults = alike[0]?.check?.explain(data, 'en') ?? []
  throw responseMismatch(name, faults.map(({ field, message }) => `${field || 'data'} ${message}`).join('; '))
}

function isAlike(answer: Answer, { status, kind, type }: Given): boolean {
  if (answer.status !== status) return false
  if (answer.kind !== 'file') return answer.kind === kind
  // A file may be empty.
  return (kind === 'file' || kind === 'nothing') && answer.types.some((range) => takes(range, type))
}

function takes(range: string, type: string): boolean {
  return range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))
}

function describeReply({ body, status }: Reply): Given {
  switch (body.kind) {
    case 'data':
      if (hasNoBody(status)) return { status, kind: 'nothing', type: '' }
      return { status, kind: 'data', type: json, text: JSON.stringify(body.data ?? null) }
    case 'json-text':
      return { status, kind: 'data', type: json, text: body.text }
    case 'bare':
      return { status, kind: 'bare', type: json, text: JSON.stringify(body.value ?? null) }
    case 'redirect':
      return { status, kind: 'nothing', type: '' }
    case 'events':
      return { status, kind: 'file', type: 'text/event-stream' }
    case 'raw':
      return describeRaw(status, body.content, mediaTypeOf(body.contentType))
  }
}

function describeRaw(status: number, content: string | Buffer | NodeJS.ReadableStream, type: string): Given {
  if (content === '') return { status, kind: 'nothing', type }
  const isText = typeof content === 'string' || content instanceof Buffer
  if (type === json && isText) return { status, kind: 'bare', type, text: content.toString() }
  return { status, kind: 'file', type }
}
