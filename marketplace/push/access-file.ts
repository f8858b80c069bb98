import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { schemaParts } from '#sandbox'
import { createFileParser } from '../index-format/file-parser.ts'
import { isMoment, publisherSchema, sha256Schema, timeSchema } from '../index-format/form.ts'
import { IndexRefusal } from '../keeper/index-refusal.ts'
import { toStableJson } from '../keeper/stable-json.ts'
import { writeAtomic } from '../keeper/write-atomic.ts'

const { list, matching, object, record, text } = schemaParts

/** A secret that lets its holder push releases of one publisher; only its hash is kept. */
interface TokenAccess {
  readonly id: string
  readonly publisher: string
  /** SHA-256 of the token, in hex. */
  readonly sha256: string
  readonly expires: string
}

/** Runs of a continuous integration that may push releases of one publisher, known by the claims of their identity tokens. */
export interface CiAccess {
  readonly id: string
  readonly publisher: string
  /** Who signs the identity tokens: an https address (http on this machine). */
  readonly issuer: string
  /** Whom they are for: the address of the index as the runs know it. */
  readonly audience: string
  /** Every one of them must be in the token with this very value. */
  readonly claims: Readonly<Record<string, string>>
}

/** Who may push into an index. It lies beside the index, never in it. */
interface AccessFile {
  readonly format: 1
  readonly tokens: readonly TokenAccess[]
  readonly ci: readonly CiAccess[]
}

/** A token begins with it, so that scanners of secrets find one that got out. */
const tokenPrefix = 'stoa_idx_'
const mostEntries = 1_000

const id = matching(/^[a-z0-9][a-z0-9-]{0,39}$/, 40)
const parse = createFileParser<AccessFile>({
  file: 'the access file',
  maxBytes: 1_048_576,
  maxDepth: 6,
  schema: object(
    {
      format: { const: 1 },
      tokens: list(
        object({ id, publisher: publisherSchema, sha256: sha256Schema, expires: timeSchema }, [
          ...['id', 'publisher', 'sha256', 'expires'],
        ]),
        mostEntries,
      ),
      ci: list(
        object(
          {
            ...{ id, publisher: publisherSchema, issuer: text(500), audience: text(500) },
            claims: record(matching(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 64), text(500), 20),
          },
          ['id', 'publisher', 'issuer', 'audience', 'claims'],
        ),
        mostEntries,
      ),
    },
    ['format', 'tokens', 'ci'],
  ),
  findProblem({ tokens, ci }) {
    const ids = [...tokens, ...ci].map((each) => each.id)
    if (new Set(ids).size !== ids.length) return 'two entries have one id'
    if (!tokens.every(({ expires }) => isMoment(expires))) return 'a token ends at no moment'
    if (ci.some(({ claims }) => Object.keys(claims).length === 0)) return 'a CI is told by no claim'
    return undefined
  },
})

/** Reads who may push; nobody may where there is no such file. Throws IndexInvalidError for one that is damaged. */
export async function readAccess(path: string): Promise<AccessFile> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new IndexRefusal(`${path} cannot be read: ${error.message}`)
  })
  return bytes ? parse(bytes) : { format: 1, tokens: [], ci: [] }
}

/** Makes a token for a publisher and keeps its hash. The token itself is answered once and kept nowhere. */
export async function addToken(
  path: string,
  { id, publisher, expires }: Pick<TokenAccess, 'id' | 'publisher'> & { readonly expires: Date },
): Promise<string> {
  const access = await readAccess(path)
  const token = tokenPrefix + randomBytes(32).toString('base64url')
  const added = { id, publisher, sha256: hashOf(token), expires: expires.toISOString() }
  await writeAccess(path, { ...access, tokens: [...access.tokens, added] })
  return token
}

/** Lets runs of a continuous integration push for a publisher. */
export async function addCi(path: string, added: CiAccess): Promise<void> {
  const access = await readAccess(path)
  await writeAccess(path, { ...access, ci: [...access.ci, added] })
}

/** Ends an access by its id; throws an IndexRefusal where there is none. */
export async function removeAccess(path: string, id: string): Promise<void> {
  const { tokens, ci } = await readAccess(path)
  const isOther = (each: { readonly id: string }) => each.id !== id
  if ([...tokens, ...ci].every(isOther)) throw new IndexRefusal(`There is no access ${id}.`)
  await writeAccess(path, { format: 1, tokens: tokens.filter(isOther), ci: ci.filter(isOther) })
}

/** The hash under which a token is kept. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

async function writeAccess(path: string, access: AccessFile): Promise<void> {
  const bytes = toStableJson(access)
  parse(bytes)
  await writeAtomic(path, bytes, 0o600)
}
