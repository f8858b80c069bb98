import { knownAnswers, type KnownAnswer } from '../answers.ts'
import type { Route, Schema } from '../route.ts'

/** What comes with a status, by media type; several schemas where a body is one or another. */
type Contents = Map<string, Schema[]>

const json = 'application/json'
const failure = { $ref: '#/components/responses/Error' }
const errorSchema = { $ref: '#/components/schemas/Error' } as const
const said: Readonly<Record<number, string>> = {
  200: 'It worked',
  201: 'It was made',
  202: 'It was accepted, and goes on',
  204: 'It worked, and there is nothing to say',
  206: 'The part that was asked for',
  302: 'It is elsewhere',
  304: 'The caller has this version',
}

/** The answers of a route, by status: what it gives when all is well, and how it fails. */
export function responses(route: Route): object {
  const failures = failureStatuses(route).map((status) => [status, failure])
  return { ...(Object.fromEntries(failures) as object), ...answered(route), default: failure }
}

function failureStatuses({ errors = [], auth = 'user', grantsTokens }: Route): readonly number[] {
  const usual = [...(auth === 'none' ? [] : [401, 403]), ...(grantsTokens ? [400] : [])]
  return [...new Set([...usual, ...errors.map((code) => (code > 999 ? Math.floor(code / 10) : code))])].sort()
}

function answered(route: Route): object {
  const answers = knownAnswers(route)
  if (answers === undefined) return decidedElsewhere
  const byStatus = new Map<number, Contents>()
  for (const answer of answers) {
    const contents = byStatus.get(answer.status) ?? new Map<string, Schema[]>()
    byStatus.set(answer.status, contents)
    for (const [type, schema] of bodiesOf(answer)) contents.set(type, [...(contents.get(type) ?? []), schema])
  }
  return Object.fromEntries([...byStatus].map(([status, contents]) => [status, response(status, contents)]))
}

function response(status: number, contents: Contents): object {
  const content = Object.fromEntries([...contents].map(([type, schemas]) => [type, { schema: oneOf(schemas) }]))
  return { description: said[status] ?? 'As its body says', ...(contents.size > 0 && { content }) }
}

function oneOf(schemas: readonly Schema[]): object {
  return schemas.length === 1 ? (schemas[0] as object) : { anyOf: schemas }
}

function bodiesOf(answer: KnownAnswer): readonly (readonly [string, Schema])[] {
  switch (answer.kind) {
    case 'data':
      return [[json, wrapped(answer.schema ?? {})]]
    case 'bare': {
      const schema = answer.schema ?? {}
      // A failure with a body of its own may still fail as everything does.
      return answer.status < 400
        ? [[json, schema]]
        : [
            [json, schema],
            [json, errorSchema],
          ]
    }
    case 'file':
      return answer.types.map((type) => [
        type,
        isText(type) ? { type: 'string' } : { type: 'string', format: 'binary' },
      ])
    case 'nothing':
      return []
  }
}

function isText(type: string): boolean {
  return type.startsWith('text/') && !type.endsWith('/*')
}

function wrapped(data: Schema): Schema {
  return {
    type: 'object',
    required: ['code', 'message', 'data', 'trace_id'],
    properties: { code: { const: 0 }, message: { type: 'string' }, data, trace_id: { type: 'string' } },
  }
}

/** What a plugin's author answers with is not known here: JSON is wrapped as everywhere, and files go out as they are. */
const decidedElsewhere = {
  '2XX': {
    description: 'It worked',
    content: { [json]: { schema: wrapped({}) }, '*/*': { schema: { type: 'string', format: 'binary' } } },
  },
  '3XX': { description: 'It is elsewhere' },
}
