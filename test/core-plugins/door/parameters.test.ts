import assert from 'node:assert/strict'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Answer, Api } from '../../support/api.ts'
import { configure } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { describeDescription } from './description.ts'

type JsonSchema = {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly enum?: readonly unknown[]
  readonly items?: JsonSchema
}
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly schema: JsonSchema
  readonly required?: boolean
}
interface Operation {
  readonly operationId: string
  readonly 'x-alias-of'?: string
  readonly 'x-menu'?: unknown
  readonly security: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >
}
interface Fault {
  readonly field: string
  readonly rule: string
  readonly params?: { readonly known?: readonly string[] }
}

/** Text that fits the parameters of paths, so that nothing but what a test breaks is broken. */
const fitting: Readonly<Record<string, string>> = {
  group_code: 'platform_mail',
  name: 'acme.none',
  source_id: 'none',
  driver_name: 'local',
  namespace: 'user',
  session_id: '00000000-0000-4000-8000-000000000000',
  webhook_id: '00000000-0000-4000-8000-000000000000',
  own_webhook_id: '00000000-0000-4000-8000-000000000000',
  operation_id: '00000000-0000-4000-8000-000000000000',
  tree_hash: '0'.repeat(64),
  version: '1.0.0',
  domain: 'app.acme.test',
}

describe('what requests bring by every route of /openapi.json', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let routes: readonly { readonly method: string; readonly path: string; readonly operation: Operation }[]
  let calls = 0
  before(async () => {
    platform = await startTestPlatform({ plugins: corePlugins.filter(({ name }) => name !== 'first_run') })
    await configure(platform.admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
    acme = await platform.createTenant('acme')
    const { paths } = (await platform.admin.get('/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, Operation>>
    }
    routes = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
    )
  })
  after(() => platform[Symbol.asyncDispose]())

  /** As whoever may: the administrator of the platform, or else the owner of a tenant at the tenant's host. */
  async function send(method: string, path: string, body?: unknown): Promise<Answer> {
    const call = (api: Api) => {
      calls += 1
      // No limit by address is what this is about.
      const headers = { 'x-forwarded-for': `10.4.${calls >> 8}.${calls & 255}` }
      return api.call(method.toUpperCase(), path, { headers, host: acme.host, body })
    }
    const answer = await call(path.startsWith('/tenant') ? acme.owner : platform.admin)
    return answer.status === 403 && !path.startsWith('/tenant') ? call(acme.owner) : answer
  }

  const faultsOf = ({ body }: Answer): readonly Fault[] => (body['errors'] ?? []) as unknown as readonly Fault[]
  const parametersOf = ({ parameters = [] }: Operation, where: Parameter['in']) =>
    parameters.filter((parameter) => parameter.in === where)
  const target = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => fitting[name] ?? '1')
  /** The query that a route cannot do without. */
  const queryOf = (operation: Operation, but = '') =>
    parametersOf(operation, 'query')
      .filter(({ name, required }) => required === true && name !== but)
      .map(({ name }) => `&${name}=${fitting[name] ?? '1'}`)
      .join('')

  describe('the description of them', () => describeDescription(() => platform))

  it('belongs to the page of the console that the description names beside it', () => {
    const menus = [
      'PUT /admin/users/{user_id}',
      'GET /tenant/orgs',
      'POST /tenant/roles',
      'GET /admin/plugins/{plugin_id}',
    ]
    const more = [
      'PUT /admin/menus/{name}',
      'GET /admin/audit-logs',
      'GET /admin/ai/providers',
      'POST /auth/login/json',
    ]
    const found = [...menus, ...more].map((wanted) => {
      const route = routes.find(({ method, path }) => `${method.toUpperCase()} ${path}` === wanted)
      return [wanted, route ? route.operation['x-menu'] : 'there is no such route']
    })
    assert.deepEqual(
      found.map(([, menu]) => menu),
      [
        ...['admin_users', 'tenant_orgs', 'tenant_roles', 'admin_plugins'],
        ...['admin_menus', 'admin_audit', { platform: 'admin_ai_providers' }, undefined],
      ],
    )
  })

  it('say what they are for, and each operation has a name of its own that clients can use', () => {
    const ids = routes.map(({ operation: { operationId } }) => operationId)
    assert.deepEqual([new Set(ids).size, ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))], [ids.length, []])
    const aliases = routes.flatMap(({ operation: { 'x-alias-of': id } }) => id ?? [])
    assert.deepEqual([aliases.length > 60, aliases.filter((id) => !ids.includes(id))], [true, []])
    const silent = routes.flatMap(({ method, path, operation: { parameters = [] } }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${method} ${path}: ${name}`),
    )
    assert.deepEqual(silent, [])
  })

  it('is refused by every list that does not know it, with what the list knows', async () => {
    const lists = routes.filter(({ method, operation }) => {
      const { properties = {} } = dataSchemaOf(operation)
      return method === 'get' && ('items' in properties || parametersOf(operation, 'query').length > 0)
    })
    assert.ok(lists.length > 60, `only ${lists.length} lists`)
    for (const { method, path, operation } of lists) {
      const answer = await send(method, `${target(path)}?nonsense=1${queryOf(operation)}`)
      const known = parametersOf(operation, 'query').map(({ name }) => name)
      assert.deepEqual(
        [answer.status, answer.body['code'], faultsOf(answer)],
        [422, 4221, [{ field: 'nonsense', rule: 'unknown_field', message: 'is not known here', params: { known } }]],
        path,
      )
    }
  })

  it('narrows every list by each field that is one of a few words, and by a search', async () => {
    let filters = 0
    let searches = 0
    for (const { method, path, operation } of routes) {
      const names = parametersOf(operation, 'query').map(({ name }) => name)
      const { properties = {} } = dataSchemaOf(operation)
      const fields = Object.entries(properties['items']?.items?.properties ?? {})
      const isList = names.includes('page') || names.includes('cursor') || names.includes('status')
      if (method !== 'get' || !isList) continue
      for (const [field] of fields.filter(([, { enum: words }]) => words)) {
        assert.ok(names.includes(field), `${path} is not filtered by ${field}`)
        filters += 1
      }
      if (!names.includes('q')) continue
      const answer = await send(method, `${target(path)}?q=no.such.thing${queryOf(operation)}`)
      if (answer.status !== 200) continue
      assert.deepEqual([path, (answer.body['data'] as unknown as { items: unknown }).items], [path, []])
      searches += 1
    }
    assert.ok(filters > 30 && searches > 15, `only ${filters} filters and ${searches} searches`)
  })

  it('is a fault of its field, where a parameter is none of those that there are', async () => {
    let refused = 0
    for (const { method, path, operation } of routes) {
      for (const { name, schema } of parametersOf(operation, 'query')) {
        if (schema.type !== 'integer' && !schema.enum) continue
        const answer = await send(method, `${target(path)}?${name}=!broken${queryOf(operation, name)}`)
        assert.deepEqual(
          [answer.status, answer.body['code'], faultsOf(answer).map(({ field }) => field)],
          [422, 4221, [name]],
          `${method} ${path} ${name}`,
        )
        refused += 1
      }
      for (const { name, schema } of parametersOf(operation, 'path')) {
        if (schema.type !== 'integer') continue
        const broken = path.replace(`{${name}}`, 'broken')
        const answer = await send(method, target(broken) + queryOf(operation).replace('&', '?'))
        const fields = faultsOf(answer).map(({ field }) => field)
        assert.deepEqual([answer.status, answer.body['code'], fields], [422, 4221, [name]], `${method} ${path} ${name}`)
        refused += 1
      }
    }
    assert.ok(refused > 150, `only ${refused}`)
  })

  it('is a fault of its field, where a body is broken as a whole or in one member', async () => {
    let refused = 0
    for (const { method, path, operation } of routes) {
      const schema = operation.requestBody?.content['application/json']?.schema
      if (schema === undefined) continue
      for (const [broken, field] of brokenBodies(schema)) {
        const answer = await send(method, target(path), broken)
        if (answer.status !== 422) continue
        refused += 1
        const fields = faultsOf(answer).map((fault) => fault.field)
        const where = `${method} ${path} ${JSON.stringify(broken)}: ${JSON.stringify(answer.body)}`
        assert.ok(fields.length > 0 && !fields.includes(''), where)
        const isNamed = fields.some((name) => name === field || name.startsWith(`${field}.`))
        assert.ok(answer.body['code'] === (4220 as unknown) ? isNamed : true, where)
      }
    }
    assert.ok(refused > 200, `only ${refused}`)
  })
})

/** What its 200 is said to have as data. */
function dataSchemaOf({ responses }: Operation): JsonSchema {
  return responses['200']?.content?.['application/json']?.schema.properties?.['data'] ?? {}
}

/** A list where an object belongs, a member that nobody knows, and each member as what it is not; with the field at fault. */
function brokenBodies({ properties = {} }: JsonSchema): readonly (readonly [unknown, string])[] {
  const members = Object.entries(properties).flatMap(([name, { type }]): (readonly [unknown, string])[] => {
    if (type === undefined) return []
    return [[{ [name]: [type].flat().includes('array') ? 7 : [[[]]] }, name]]
  })
  return [[[], 'body'], ...members]
}
