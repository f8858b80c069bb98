import type { Dispatcher } from 'undici'
import type { CallOptions } from '../../support/api.ts'
import { png } from '../../support/png.ts'
import { sampleOf, type SampledSchema } from '../../support/sample.ts'

/** One operation of the document that a platform gives of itself. */
export interface DescribedOperation {
  readonly 'x-permission'?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: SampledSchema }>> }
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema?: SampledSchema & { readonly pattern?: string; readonly minLength?: number }
}

/** The paths of the document, each with its methods. */
export type DescribedPaths = Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>

/** A request that is refused, and how. */
export interface Refusal {
  readonly method: Dispatcher.HttpMethod
  readonly target: string
  readonly options?: CallOptions
  /** Status, and code where one is meant. */
  readonly expected: string
}

const prefixes = ['/plugins', '/admin/plugins', '/tenant/plugins']
/** Bodies whose patterns no sample fits. */
const bodies: Readonly<Record<string, unknown>> = {
  consent: { accept: true, release_hash: '0'.repeat(64), diff_hash: '0'.repeat(64) },
  tenants: { tenant_ids: [1] },
}
const triedMethods: readonly Dispatcher.HttpMethod[] = ['PATCH', 'PUT', 'DELETE', 'POST', 'GET']
const json = { 'content-type': 'application/json' }
const large = JSON.stringify({ text: 'x'.repeat(1_100_000) })

/** Every operation about plugins, licences, sources, publishers and the marketplace, without what plugins themselves answer. */
export function listOperations(paths: DescribedPaths) {
  return Object.entries(paths).flatMap(([path, methods]) => {
    const prefix = prefixes.find((each) => path === each || path.startsWith(`${each}/`))
    if (prefix === undefined || path.includes('/api/')) return []
    return Object.entries(methods).map(([name, operation]) => {
      return { method: name.toUpperCase(), path, operation }
    })
  })
}

/** A call as good as it can be made, of things that are not there. */
export function goodCall(path: string, operation: DescribedOperation): { target: string; options: CallOptions } {
  const target = path
    .replace('{operation_id}', '0198b2a0-0000-7000-8000-000000000000')
    .replace('{source_id}', 'absent')
    .replace('{event_id}', '999999')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => (isNumber(operation, name) ? '999999' : 'acme.absent'))
  const content = operation.requestBody?.content
  const schema = content?.['application/json']?.schema
  if (schema) return { target, options: { body: bodies[path.split('/').at(-1) ?? ''] ?? sampleOf(schema) } }
  if (!content) return { target, options: {} }
  return { target, options: { file: { field: 'file', name: 'a.png', content: png(8, 8) } } }
}

/** What somebody who may call it does wrong with an operation, and how each is refused. */
export function refusalsOf(path: string, method: Dispatcher.HttpMethod, operation: DescribedOperation): Refusal[] {
  const { target, options } = goodCall(path, operation)
  const refusals: Refusal[] = []
  const isOfOne = path.includes('{')
  if (isOfOne) refusals.push({ method, target, options, expected: '404' })
  for (const { name, in: place, schema = {} } of operation.parameters ?? []) {
    if (place !== 'query' || !isNarrow(schema)) continue
    refusals.push({ method, target: `${target}?${name}=%C2%B5`, options, expected: '422 4221' })
  }
  const content = operation.requestBody?.content
  if (!content) return refusals
  const send = (body: string, headers: Readonly<Record<string, string>>, expected: string) =>
    refusals.push({ method, target, options: { body, headers }, expected })
  send('x', { 'content-type': 'text/plain' }, '415 4150')
  if (!content['application/json']) return refusals
  send('{', json, '400 4001')
  send('[]', json, '422 4220')
  send(large, json, '413 4130')
  return refusals
}

/** A method that a path does not have. */
export function wrongMethodOf(path: string, paths: DescribedPaths): Refusal {
  const known = Object.keys(paths[path] ?? {}).map((name) => name.toUpperCase())
  const method = triedMethods.find((each) => !known.includes(each)) ?? 'PATCH'
  return { method, target: goodCall(path, {}).target, expected: '405 4050' }
}

function isNumber({ parameters = [] }: DescribedOperation, name: string): boolean {
  return parameters.some((each) => each.in === 'path' && each.name === name && each.schema?.type === 'integer')
}

/** Whether there is a text that it does not take. */
function isNarrow({ type, enum: options, pattern }: NonNullable<Parameter['schema']>): boolean {
  return type === 'integer' || type === 'boolean' || options !== undefined || pattern !== undefined
}
