/** A JSON Schema, as far as it is shown. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly description?: string
}

interface Operation {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly 'x-permission'?: string | Readonly<Record<string, string>>
  readonly 'x-menu'?: string | Readonly<Record<string, string>>
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema?: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >
}

/** The description of the interface. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** One endpoint of it. */
export interface Endpoint {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly search: string
  readonly operation: Operation
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])
const deepest = 6

/** Every endpoint, in the order of the description. */
export function endpointsOf({ paths }: Description): readonly Endpoint[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => {
        const summary = operation.summary ?? ''
        const search = [method, path, summary, operation.tags?.join(' '), permissionOf(operation)]
          .join(' ')
          .toLowerCase()
        return { id: `${method} ${path}`, method: method.toUpperCase(), path, summary, search, operation }
      }),
  )
}

/** What one must hold to call it. */
export function permissionOf({ 'x-permission': permission }: Operation): string {
  if (permission === undefined) return ''
  return typeof permission === 'string' ? permission : Object.values(permission).join(', ')
}

/** The entries of the navigation whose pages do it. */
export function menusOf({ 'x-menu': menu }: Operation): readonly string[] {
  if (menu === undefined) return []
  return typeof menu === 'string' ? [menu] : Object.values(menu)
}

/** An example of what a schema describes. */
export function exampleOf(schema: Schema | undefined, whole: Description, depth = 0): unknown {
  if (!schema || depth > deepest) return null
  const found = schema.$ref ? whole.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] : schema
  if (!found) return null
  const [first] = found.oneOf ?? found.anyOf ?? []
  if (first) return exampleOf(first, whole, depth + 1)
  if (found.enum) return found.enum[0]
  const type = [found.type].flat()[0]
  if (found.properties) {
    return Object.fromEntries(
      Object.entries(found.properties).map(([name, part]) => [name, exampleOf(part, whole, depth + 1)]),
    )
  }
  if (type === 'array') return [exampleOf(found.items, whole, depth + 1)]
  const plain: Readonly<Record<string, unknown>> = { string: 'text', integer: 1, number: 1, boolean: true, object: {} }
  return type === undefined ? null : (plain[type] ?? null)
}

/** A call of it for a terminal. */
export function curlOf({ method, path, operation }: Endpoint, whole: Description, origin: string): string {
  const body = operation.requestBody?.content['application/json']?.schema
  return [
    `curl -X ${method} '${origin}${path}'`,
    "-H 'Authorization: Bearer $TOKEN'",
    ...(body
      ? [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(exampleOf(body, whole)).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : []),
  ].join(' \\\n  ')
}
