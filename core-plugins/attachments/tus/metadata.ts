import { compileSchemaCheck, ValidationFailedError, type Locale } from '#kernel'
import type { Usage, Visibility } from '../models.ts'
import { usage, visibility } from '../records/schemas.ts'

/** What a sender says of a file: the names are those of tus-js-client and Uppy, and those of the forms. */
interface TusMetadata {
  readonly filename: string
  readonly filetype?: string
  readonly hash?: string
  readonly usage?: Usage
  readonly visibility?: Visibility
}

const header = 'Upload-Metadata'
const check = compileSchemaCheck(
  {
    type: 'object',
    required: ['filename'],
    properties: {
      filename: { type: 'string', minLength: 1, maxLength: 1024 },
      filetype: { type: 'string', maxLength: 255 },
      hash: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
      usage,
      visibility,
    },
  },
  'exact',
  'lazily',
)

/**
 * Reads pairs of a key and a value in Base64: `filename bm90ZXMudHh0,is_confidential`. Throws 422/4220 for what is none, for a file
 * without a name, and for values that fit nothing; keys that mean nothing here are passed over.
 */
export function readMetadata(given: string, locale: Locale): TusMetadata {
  const pairs = Object.fromEntries(given.split(',').map(readPair)) as Record<string, string>
  const { name, filename = name, type, filetype = type, hash, usage: use, visibility: seen } = pairs
  const said = { filename, filetype, hash, usage: use, visibility: seen }
  const metadata = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
  if (check.isValid(metadata)) return metadata as unknown as TusMetadata
  throw new ValidationFailedError({ errors: check.explain(metadata, locale) })
}

function readPair(pair: string): readonly [string, string] {
  const [key = '', value = '', ...more] = pair.trim().split(' ')
  const bytes = Buffer.from(value, 'base64')
  const isWhole = bytes.toString('base64').replace(/=+$/, '') === value.replace(/=+$/, '')
  const text = bytes.toString('utf8')
  if (more.length === 0 && isWhole && !text.includes('\0')) return [key, text]
  throw new ValidationFailedError({
    errors: [{ field: header, rule: 'format', message: 'must be keys, each with a value in Base64' }],
  })
}
