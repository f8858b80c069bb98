import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { testPassword, type TestPlatform } from '../../support/identity.ts'

interface MediaType {
  readonly schema: object
  readonly example?: unknown
}
interface Operation {
  readonly operationId: string
  readonly 'x-alias-of'?: string
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, MediaType>> }>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** What is used of the linter, whose own types are as large as it is. */
interface Linter {
  createConfig(config: { readonly extends: readonly string[] }): Promise<object>
  lintFromString(asked: { readonly source: string; readonly absoluteRef: string; readonly config: object }): Promise<
    readonly {
      readonly severity: string
      readonly ruleId: string
      readonly message: string
      readonly location: readonly { readonly pointer?: string }[]
    }[]
  >
}

const linter = createRequire(import.meta.url)('@redocly/openapi-core') as Linter
const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../../..')
const compilerOptions = {
  ...{ noEmit: true, strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true, module: 'nodenext' },
  ...{ target: 'esnext', lib: ['esnext', 'dom'], types: ['node'], allowImportingTsExtensions: true },
}

/** Whether /openapi.json is what those who write clients can build on. */
export function describeDescription(platformOf: () => TestPlatform): void {
  async function read(): Promise<{ readonly text: string; readonly paths: Paths }> {
    const { body } = await platformOf().admin.get('/openapi.json')
    return { text: JSON.stringify(body), paths: body['paths'] as unknown as Paths }
  }

  it('breaks no recommended rule of Redocly', async () => {
    const config = await linter.createConfig({ extends: ['recommended'] })
    const problems = await linter.lintFromString({ source: (await read()).text, absoluteRef: '/openapi.json', config })
    const errors = problems.filter(({ severity }) => severity === 'error')
    assert.deepEqual(
      errors.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    )
  })

  it('says of every answer which status it has, and of JSON what is in it', async () => {
    const silent = operationsOf((await read()).paths).flatMap(({ operationId, responses }) => {
      const good = Object.entries(responses).filter(([status]) => /^[23]/.test(status))
      const vague = good.filter(
        ([status, { content = {} }]) => /XX/.test(status) || isOpen(content['application/json']),
      )
      return good.length === 0 || vague.length > 0 ? operationId : []
    })
    assert.deepEqual(silent, [])
  })

  it('has examples of what is sent most that fit', async () => {
    const ajv = new Ajv2020({ strict: false, formats: { 'time-zone': true } })
    formats.default(ajv)
    const examples = operationsOf((await read()).paths).flatMap(({ operationId, requestBody }) => {
      const { schema = {}, example } = requestBody?.content['application/json'] ?? {}
      return example === undefined ? [] : [{ operationId, schema, example }]
    })
    const wrong = examples.filter(({ schema, example }) => !ajv.validate(schema, example))
    assert.deepEqual([wrong.map(({ operationId }) => operationId), examples.length >= 25], [[], true])
  })

  it('gives types by which a client reads every answer without a cast', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'stoa-client-'))
    try {
      await writeClient(folder, (await read()).text)
      const tool = (...words: readonly string[]) => run(process.execPath, words, { cwd: folder })
      await tool('node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.ts')
      const { stdout: faults } = await tool('node_modules/typescript/bin/tsc', '-p', '.').catch((error: unknown) => {
        return error as { readonly stdout: string }
      })
      assert.equal(faults, '')
      const { test } = platformOf()
      const { stdout } = await tool('--no-warnings', 'client.ts', test.api.url, 'admin@stoa.test', testPassword)
      const { csv, prometheus, settings, roleNames, ...said } = JSON.parse(stdout) as Record<string, string & string[]>
      assert.deepEqual(
        [said['healthy'], said['scope'], said['email'], said['role'], said['madeStatus'], said['tenantStatus']],
        ['healthy', 'platform', 'admin@stoa.test', 'super_admin', 201, 'active'],
      )
      assert.deepEqual([said['code'], said['deleted'], said['updated'], said['revoked']], [4040, true, [], 1])
      assert.ok(csv?.includes('tenant') && prometheus?.includes('# TYPE') && settings?.length && roleNames?.length)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
}

function operationsOf(paths: Paths): readonly Operation[] {
  return Object.values(paths).flatMap((operations) => Object.values(operations))
}

function isOpen(json: MediaType | undefined): boolean {
  const { properties } = (json?.schema ?? {}) as { readonly properties?: { readonly data?: object } }
  return json !== undefined && (Object.keys(json.schema).length === 0 || isEmpty(properties?.data))
}

function isEmpty(schema: object | undefined): boolean {
  return schema !== undefined && Object.keys(schema).length === 0
}

/** A client beside the description, in a folder of its own; what is said twice under another path is left out. */
async function writeClient(folder: string, text: string): Promise<void> {
  const document = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> }
  for (const [name, operations] of Object.entries(document.paths)) {
    const kept = Object.entries(operations).filter(([, operation]) => operation['x-alias-of'] === undefined)
    if (kept.length === 0) delete document.paths[name]
    else document.paths[name] = Object.fromEntries(kept)
  }
  const files = { 'openapi.json': document, 'package.json': { type: 'module' } }
  const project = { 'tsconfig.json': { compilerOptions, files: ['client.ts'] } }
  for (const [name, content] of Object.entries({ ...files, ...project }))
    await writeFile(path.join(folder, name), JSON.stringify(content))
  await copyFile(path.join(root, 'test/fixtures/openapi-client/client.ts.txt'), path.join(folder, 'client.ts'))
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
}
