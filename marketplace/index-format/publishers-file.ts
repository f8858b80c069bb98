import { schemaParts } from '#sandbox'
import { createFileParser } from './file-parser.ts'
import { keyIdSchema, ownValue, publicKeySchema, publisherSchema } from './form.ts'
import { indexLimits } from './index-limits.ts'
import type { RootKey } from './root-file.ts'

const { list, object, oneOf, record, text, webAddress, whole } = schemaParts

/** A publisher of an index: its keys sign its packages. */
export interface Publisher {
  readonly title?: string
  readonly homepage?: string
  /** How far the index trusts it. */
  readonly level: 'official' | 'verified' | 'community'
  readonly keys: readonly RootKey[]
}

/** publishers.json */
export interface PublishersFile {
  readonly format: 1
  /** Grows with every change, where several people sign it; a client never goes back. */
  readonly serial?: number
  readonly publishers: Readonly<Record<string, Publisher>>
}

const key = object({ kid: keyIdSchema, publicKey: publicKeySchema }, ['kid', 'publicKey'])

/** Reads publishers.json; throws IndexInvalidError. */
export const parsePublishersFile = createFileParser<PublishersFile>({
  file: 'publishers.json',
  maxBytes: indexLimits.publishersBytes,
  maxDepth: 6,
  schema: object(
    {
      format: { const: 1 },
      serial: whole(1, Number.MAX_SAFE_INTEGER),
      publishers: record(
        publisherSchema,
        object(
          {
            title: text(100),
            homepage: webAddress,
            level: oneOf(['official', 'verified', 'community']),
            keys: list(key, indexLimits.keys, 1),
          },
          ['level', 'keys'],
        ),
        indexLimits.publishers,
      ),
    },
    ['format', 'publishers'],
  ),
  findProblem({ publishers }) {
    const ids = Object.values(publishers).flatMap(({ keys }) => keys.map(({ kid }) => kid))
    return new Set(ids).size === ids.length ? undefined : 'two keys have one id'
  },
})

/** The publisher of this name. */
export function findPublisher({ publishers }: PublishersFile, name: string): Publisher | undefined {
  return ownValue(publishers, name)
}

/** The key of this id, with the publisher it signs for. */
export function findPublisherKey(
  { publishers }: PublishersFile,
  kid: string,
): (RootKey & { readonly publisher: string; readonly level: Publisher['level'] }) | undefined {
  for (const [publisher, { level, keys }] of Object.entries(publishers)) {
    const key = keys.find((each) => each.kid === kid)
    if (key) return { ...key, publisher, level }
  }
  return undefined
}
