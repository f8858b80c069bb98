import { Ajv } from 'ajv'
import type { PluginManifest } from '#sandbox'
import { PackageSignatureError } from '../errors.ts'
import { parseStrictJson } from './strict-json.ts'
import { signaturePath, sortByPath, treeHash, type PackageFile } from './tree.ts'
import { trustLevels, type TrustLevel } from './trust-levels.ts'

/** What a signature says of a package: which plugin it is, and every file of it. */
export interface Statement {
  readonly v: 1
  readonly name: string
  readonly version: string
  readonly publisher: string
  readonly files: Readonly<Record<string, { readonly sha256: string; readonly size: number }>>
  readonly treeHash: string
  readonly builtAt?: string
  /** How far a site trusts it; only the site's own signature says so. */
  readonly trust?: TrustLevel
}

/** What a statement says beside what the package is. */
export type StatementExtras = Pick<Statement, 'builtAt' | 'trust'>

const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' }
// A schema of ours: to hold it against the meta-schema would make every start wait longer than compiling it.
const isStatement = new Ajv({ validateSchema: false }).compile<Statement>({
  type: 'object',
  additionalProperties: false,
  required: ['v', 'name', 'version', 'publisher', 'files', 'treeHash'],
  properties: {
    v: { const: 1 },
    name: { type: 'string' },
    version: { type: 'string' },
    publisher: { type: 'string' },
    treeHash: hash,
    builtAt: { type: 'string', maxLength: 40 },
    trust: { enum: trustLevels },
    files: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['sha256', 'size'],
        properties: { sha256: hash, size: { type: 'integer', minimum: 0 } },
      },
    },
  },
})

/** Which plugin a package is, and its files: what a statement is made of and compared with. */
export interface Described {
  readonly manifest: Pick<PluginManifest, 'name' | 'version' | 'publisher'>
  readonly files: readonly PackageFile[]
}

/** Makes the statement of a package. */
export function createStatement({ manifest, files }: Described, { builtAt, trust }: StatementExtras = {}): Statement {
  const signed = sortByPath(files).filter(({ path }) => path !== signaturePath)
  return {
    v: 1,
    name: manifest.name,
    version: manifest.version,
    publisher: manifest.publisher,
    files: Object.fromEntries(signed.map(({ path, sha256, size }) => [path, { sha256, size }])),
    treeHash: treeHash(files),
    ...(builtAt === undefined ? {} : { builtAt }),
    ...(trust === undefined ? {} : { trust }),
  }
}

/** Reads the payload of a signature, once the signature has been verified. */
export function parseStatement(payload: Buffer): Statement {
  const statement = parseStrictJson(payload, 4)
  if (!isStatement(statement)) throw new PackageSignatureError({ problem: 'its statement has another form' })
  return statement
}

/** Refuses a statement about another plugin, another version or other files: each file is listed, each listed file is there. */
export function checkStatement(statement: Statement, described: Described): void {
  const refuse = (rule: string, problem: string) => {
    throw new PackageSignatureError({ problem }, { details: { rule } })
  }
  const { manifest } = described
  const expected = createStatement(described)
  if (
    statement.name !== manifest.name ||
    statement.version !== manifest.version ||
    statement.publisher !== manifest.publisher
  )
    refuse('identity', 'it was made for another plugin or version')
  const paths = Object.keys(expected.files)
  const isSame = paths.every((path) => {
    const signed = Object.hasOwn(statement.files, path) ? statement.files[path] : undefined
    const found = expected.files[path]
    return signed?.sha256 === found?.sha256 && signed?.size === found?.size
  })
  if (!isSame || paths.length !== Object.keys(statement.files).length || statement.treeHash !== expected.treeHash)
    refuse('files', 'it was made for other files')
}
