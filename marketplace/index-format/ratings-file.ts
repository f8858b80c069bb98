import { schemaParts } from '#sandbox'
import { createFileParser } from './file-parser.ts'
import { pluginNameSchema } from './form.ts'
import { indexLimits } from './index-limits.ts'

const { object, record, whole } = schemaParts

/** What users of an index think of a plugin. */
export interface Rating {
  /** From 0 to 5. */
  readonly average: number
  readonly count: number
}

/** ratings.json, by plugin. */
export interface RatingsFile {
  readonly format: 1
  readonly ratings: Readonly<Record<string, Rating>>
}

/** Reads ratings.json; throws IndexInvalidError. */
export const parseRatingsFile = createFileParser<RatingsFile>({
  file: 'ratings.json',
  maxBytes: indexLimits.ratingsBytes,
  maxDepth: 4,
  schema: object(
    {
      format: { const: 1 },
      ratings: record(
        pluginNameSchema,
        object({ average: { type: 'number', minimum: 0, maximum: 5 }, count: whole(0, 1_000_000_000) }, [
          'average',
          'count',
        ]),
        indexLimits.plugins,
      ),
    },
    ['format', 'ratings'],
  ),
})
