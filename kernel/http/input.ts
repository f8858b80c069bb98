import { ParamsInvalidError, ValidationFailedError, type AppError, type FieldError } from '../errors.ts'
import { isLeft, jsonBytes, readBody } from './body.ts'
import { listParameters, unknownParameters } from './list-parameters.ts'
import type { RequestContext } from './request-context.ts'
import type { BodyKind, Route, Schema } from './route.ts'
import { compileSchemaCheck, type SchemaCheck } from './schema-check.ts'
import { parseUrlEncoded } from './url-encoded.ts'

/** Reads and checks what a request brings: path, query, body. */
interface InputReader {
  /** Whether there is a body to wait for. */
  readonly takesBody: boolean
  readParameters(ctx: RequestContext): void
  readBody(ctx: RequestContext): Promise<void>
}

/** Collecting all faults of a body larger than this takes longer than its sender deserves. */
const largeBytes = 64 * 1024

/** Compiles the input checks of a route. */
export function compileInput(route: Route, when: 'lazily' | 'at-once'): InputReader {
  const { schema = {}, maxBodyBytes = jsonBytes } = route
  const accepts = acceptedKinds(route)
  const params = schema.params && compileSchemaCheck(schema.params, 'coerce', when)
  const query = schema.query && compileSchemaCheck(schema.query, 'coerce', when)
  const body = schema.body && compileSchemaCheck(schema.body, 'exact', when)
  const known = listParameters(route)
  const emptyBody = isObjectSchema(schema.body)

  return {
    takesBody: accepts.length > 0,
    readParameters(ctx) {
      if (params && !params.isValid(ctx.params)) throw invalidParams(params, ctx, ctx.params)
      if (ctx.search !== '' || query) ctx.query = parseQuery(ctx.search)
      const unknown = known === undefined || ctx.search === '' ? [] : unknownParameters(ctx.query, known)
      if (query && !query.isValid(ctx.query)) throw invalidParams(query, ctx, ctx.query, unknown)
      if (unknown.length > 0) throw new ParamsInvalidError({ errors: unknown })
    },
    async readBody(ctx) {
      const kind = await readBody(ctx, accepts, maxBodyBytes)
      ctx.isBodyLeft = isLeft(kind)
      if (!body || ctx.isBodyLeft) return
      // An absent body is an empty one, so that each missing field is named.
      if (ctx.body === undefined && emptyBody) ctx.body = {}
      if (!body.isValid(ctx.body)) {
        const extent = (ctx.rawBody?.length ?? 0) > largeBytes ? 'first' : 'all'
        throw new ValidationFailedError({ errors: body.explain(ctx.body, ctx.locale, extent).map(nameWhole) })
      }
    },
  }
}

/** Ways a route lets its body be sent. */
export function acceptedKinds({ accepts, schema, method }: Route): readonly BodyKind[] {
  return accepts ?? (schema?.body && method !== 'get' ? ['json'] : [])
}

function parseQuery(search: string): Record<string, string | string[]> {
  try {
    return parseUrlEncoded(search)
  } catch (cause) {
    throw new ParamsInvalidError({
      errors: [{ field: 'query', rule: 'encoding', message: 'is not properly encoded' }],
      cause,
    })
  }
}

function invalidParams(
  check: SchemaCheck,
  ctx: RequestContext,
  value: unknown,
  unknown: readonly FieldError[] = [],
): AppError {
  const told = check.explain(value, ctx.locale).filter(({ field }) => unknown.every((fault) => fault.field !== field))
  return new ParamsInvalidError({ errors: [...unknown, ...told] })
}

/** What is wrong with a body as a whole is a fault of the field `body`. */
function nameWhole(fault: FieldError): FieldError {
  return fault.field === '' ? { ...fault, field: 'body' } : fault
}

function isObjectSchema(schema: Schema | undefined): boolean {
  return typeof schema === 'object' && schema.type === 'object'
}
