import assert from 'node:assert/strict'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Answer, Api } from '../../support/api.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { refuseStatements } from '../../support/postgres-refusals.ts'
import { sampleOf, type SampledSchema } from '../../support/sample.ts'
import { serverOf, startTcpProxy, type Rule, type TcpProxy } from '../../support/tcp-proxy.ts'
import { makers } from '../whole/tenant-objects.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
}
interface Described {
  readonly 'x-alias-of'?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: SampledSchema }>> }
}
type Caller = 'owner' | 'admin'
interface Operation {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: SampledSchema | undefined
}

/** What is asked to know who calls, for whom, with which rights and settings. */
const whoCalls = /"(auth_\w+|access_\w+|users|tenants|tenant_domains|config_\w+)"|set_config/
const statement = /\b(select|insert|update|delete|with|begin|commit|lock)\b/i

/** What becomes of a request once it is known who calls. */
const faults: Readonly<Record<string, Rule>> = {
  'loses its connection': (piece, from) => {
    const said = piece.toString('latin1')
    return from === 'client' && statement.test(said) && !whoCalls.test(said) ? 'reset' : 'pass'
  },
  'has no room': refuseStatements(/(insert into|update) "(?!auth_)|^Q.{4}copy/s, '53100', 'No space left on device'),
  'loses its connection at COMMIT': (piece, from) => {
    return from === 'client' && piece.includes('COMMIT') ? 'reset' : 'pass'
  },
}
/** The only refusals that may be the platform's own fault. */
const truthful = [5030, 5031, 5032, 5036, 5070]

/** Waits for events, or for somebody else's server. */
const elsewhere = /^\/events\/|^\/admin\/ai\/mcp-servers\/\{server_id\}\/(refresh|test)$/
const fitting: Readonly<Record<string, string>> = { group_code: 'platform_mail', domain: 'app.acme.test', name: 'a.b' }

describe('every route of /openapi.json on a database that', function () {
  this.timeout(900_000)
  let resources: AsyncDisposableStack
  let wire: TcpProxy
  let platform: TestPlatform
  let acme: TestTenant
  let operations: readonly Operation[]
  before(async () => {
    await using started = new AsyncDisposableStack()
    const plugins = corePlugins.filter(({ name }) => name !== 'first_run')
    const database = started.use(await createTestDatabase(migratedFor(plugins, silentLog)))
    wire = started.use(await startTcpProxy(serverOf(database.url)))
    platform = started.use(await startTestPlatform({ plugins, databaseUrl: wire.through(database.url) }))
    acme = await platform.createTenant('acme')
    operations = readOperations((await platform.admin.get('/openapi.json')).body as unknown as Document)
    resources = started.move()
  })
  after(() => resources.disposeAsync())

  it(`${Object.keys(faults).join(', or ')}, tells the truth and when to come again`, async () => {
    const lies: string[] = []
    const told = new Map<string, number>()
    for (const [index, operation] of operations.entries()) {
      const [caller, target] = await aim(operation)
      for (const [fault, rule] of Object.entries(faults)) {
        // No limit by address is what this is about.
        const headers = { 'x-forwarded-for': `10.4.${index >> 8}.${index & 255}` }
        const by = await known(caller)
        wire.follow(rule)
        const body = operation.body && sampleOf(operation.body)
        const answer = await by.call(operation.method, target, { headers, body }).finally(() => wire.heal())
        const code = Number(answer.body['code'])
        if (isTrue(answer)) told.set(`${fault}: ${code}`, (told.get(`${fault}: ${code}`) ?? 0) + 1)
        else lies.push(`${operation.method} ${target} ${fault}: ${answer.status} ${JSON.stringify(answer.body)}`)
      }
    }
    assert.deepEqual(lies, [])
    const often = (fault: string, code: number) => told.get(`${fault}: ${code}`) ?? 0
    assert.ok(often('loses its connection', 5030) > 100, JSON.stringify([...told]))
    assert.ok(often('has no room', 5070) > 50, JSON.stringify([...told]))
    assert.ok(often('loses its connection at COMMIT', 5036) > 50, JSON.stringify([...told]))
  })

  /** Who calls, and what: something of the tenant's where there can be, or else what may be there or not. */
  async function aim({ path, query }: Operation): Promise<readonly [Caller, string]> {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    await known('owner')
    const maker = path.startsWith('/admin/') && !path.startsWith('/admin/ai') ? undefined : makers[names.join(',')]
    const signIn = (userId = acme.ownerId) => platform.signIn(acme.id, userId)
    const values = [...((await maker?.({ tenantId: acme.id, api: acme.owner, admin: platform.admin, signIn })) ?? [])]
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values.shift() ?? fitting[name] ?? '1'))
    return [maker || path.startsWith('/tenant') ? 'owner' : 'admin', target + query]
  }

  /** Somebody whose session and rights are in memory; who was signed out by a route before is signed in again. */
  async function known(caller: Caller): Promise<Api> {
    const look = async (): Promise<Api | undefined> => {
      const api = caller === 'owner' ? acme.owner : platform.admin
      return (await api.get('/permissions/me')).status === 200 ? api : undefined
    }
    const already = await look()
    if (already) return already
    acme = { ...acme, owner: await platform.signIn(acme.id, acme.ownerId) }
    platform = { ...platform, admin: await platform.signIn(0, platform.adminId) }
    const again = await look()
    assert.ok(again, `the ${caller} cannot sign in`)
    return again
  }
})

function isTrue({ status, body, headers }: Answer): boolean {
  const code = Number(body['code'])
  return status < 500 || (truthful.includes(code) && (code === 5070 || Number(headers['retry-after']) > 0))
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

function readOperations({ paths }: Document): readonly Operation[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [], requestBody, ...described }]) => {
        if (described['x-alias-of'] || elsewhere.test(path)) return []
        const required = parameters.filter((each) => each.in === 'query' && each.required)
        const query = required.map(({ name }) => `${name}=${fitting[name] ?? '1'}`).join('&')
        const body = requestBody?.content['application/json']?.schema
        return [{ method: method.toUpperCase(), path, query: query && `?${query}`, body }]
      }),
    )
    .sort((one, other) => Number(one.path.startsWith('/auth/')) - Number(other.path.startsWith('/auth/')))
}
