// @both-back-ends
import assert from 'node:assert/strict'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Answer } from '../../support/api.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { sampleOf, type SampledSchema } from '../../support/sample.ts'
import { tusHeaders } from '../../support/tus.ts'
import { common, makers } from './tenant-objects.ts'

interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body: SampledSchema | undefined
}

describe('what is another tenant’s', () => {
  let platform: TestPlatform
  let mine: TestTenant
  let theirs: TestTenant
  let operations: readonly Operation[]

  before(async () => {
    platform = await startTestPlatform({ plugins: corePlugins.filter(({ name }) => name !== 'first_run') })
    mine = await platform.createTenant('mine')
    theirs = await platform.createTenant('theirs')
    const document = (await platform.test.api.get('/openapi.json')).body
    operations = await tenantOperations(readOperations(document as unknown as Document), mine)
  })
  after(() => platform[Symbol.asyncDispose]())

  it('has a maker for every parameter of every path a tenant may call', () => {
    const unknown = operations.flatMap(({ path }) =>
      parametersOf(path).filter((name) => !makers[name] && !common[name]),
    )
    assert.deepEqual([...new Set(unknown)], [])
    assert.ok(operations.length > 10, `only ${operations.length} operations were found`)
  })

  it('is not there, at any path and for any method', async () => {
    const reached: string[] = []
    for (const operation of operations.filter(isOwned)) {
      const answer = await call(operation, mine)
      if (answer.status !== 404) reached.push(`${operation.method} ${operation.path}: ${describeAnswer(answer)}`)
    }
    assert.deepEqual(reached, [])
  })

  it('is there for its own tenant, so that the refusals above mean something', async () => {
    const missed: string[] = []
    for (const operation of operations.filter(isOwned)) {
      const answer = await call(operation, theirs)
      if (answer.status === 404) missed.push(`${operation.method} ${operation.path}: ${describeAnswer(answer)}`)
    }
    assert.deepEqual(missed, [])
  })

  it('is not there below what is one’s own', async () => {
    const reached: string[] = []
    for (const operation of operations.filter(({ path }) => isOwned({ path }) && namesOf(path).includes(','))) {
      const [[own], [, other]] = [await make(operation, mine), await make(operation, theirs)]
      const answer = await send(operation, mine, [own ?? '', other ?? ''])
      if (answer.status !== 404) reached.push(`${operation.method} ${operation.path}: ${describeAnswer(answer)}`)
    }
    assert.deepEqual(reached, [])
  })

  /** Calls with things of the other tenant, made for this one call. */
  async function call(operation: Operation, by: TestTenant): Promise<Answer> {
    return send(operation, by, await make(operation, theirs))
  }

  async function make({ path }: Operation, tenant: TestTenant): Promise<readonly (string | number)[]> {
    const signIn = (userId = tenant.ownerId) => platform.signIn(tenant.id, userId)
    const values = await makers[namesOf(path)]?.({
      tenantId: tenant.id,
      api: tenant.owner,
      admin: platform.admin,
      signIn,
    })
    assert.ok(values)
    return values
  }
})

/** Puts the values into the path and sends what the description of the route asks for. */
function send({ method, path, body }: Operation, by: TestTenant, values: readonly (string | number)[]) {
  const rest = [...values]
  const target = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? ''))
  const headers = path.includes('{tus_id}') ? tusRequest : undefined
  return by.owner.call(method, target, { body: body && sampleOf(body), ...(headers && { headers }) })
}

/** What every request for an upload by tus says; the method counts for POST alone. */
const tusRequest = tusHeaders({
  ...{ 'content-type': 'application/offset+octet-stream', 'upload-offset': '0', 'x-http-method-override': 'DELETE' },
})

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
}
interface DocumentedOperation {
  readonly security: readonly object[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: SampledSchema }>> }
}

/** Every operation that demands a caller and has a parameter in its path. */
function readOperations({ paths }: Document): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security, requestBody }]) => {
      if (security.length === 0 || parametersOf(path).length === 0) return []
      const body = requestBody?.content['application/json']?.schema
      return [{ method: method.toUpperCase() as Operation['method'], path, body }]
    }),
  )
}

/** Leaves out the platform's own: they refuse every tenant's token, whatever is asked for. */
async function tenantOperations(all: readonly Operation[], { owner }: TestTenant): Promise<readonly Operation[]> {
  const answers = await Promise.all(
    all.map(async (operation) => {
      const target = operation.path.replaceAll(/\{\w+\}/g, '1')
      return { operation, answer: await owner.call(operation.method, target) }
    }),
  )
  return answers.filter(({ answer }) => Number(answer.body['code']) !== 4033).map(({ operation }) => operation)
}

function isOwned({ path }: Pick<Operation, 'path'>): boolean {
  return namesOf(path) in makers
}

function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function namesOf(path: string): string {
  return parametersOf(path).join(',')
}

function describeAnswer({ status, body }: Answer): string {
  return `${status} ${JSON.stringify(body).slice(0, 200)}`
}
