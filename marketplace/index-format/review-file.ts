import { schemaParts } from '#sandbox'
import { createFileParser } from './file-parser.ts'
import { isMoment, timeSchema, versionSchema } from './form.ts'
import { indexLimits } from './index-limits.ts'

const { list, object, oneOf, slug, text, whole } = schemaParts

/** Something that the check of an index found in a release. */
export interface ReviewFinding {
  readonly level: 'error' | 'warning' | 'info'
  readonly rule: string
  readonly message: string
  /** In the package. */
  readonly file?: string
  readonly line?: number
}

/** review/{version}.json: what the check of an index found. */
export interface ReviewFile {
  readonly format: 1
  readonly name: string
  readonly version: string
  readonly checked: string
  readonly findings: readonly ReviewFinding[]
}

/** Reads review/{version}.json; throws IndexInvalidError. */
export const parseReviewFile = createFileParser<ReviewFile>({
  file: 'review.json',
  maxBytes: indexLimits.reviewBytes,
  maxDepth: 4,
  schema: object(
    {
      format: { const: 1 },
      name: text(64),
      version: versionSchema,
      checked: timeSchema,
      findings: list(
        object(
          {
            level: oneOf(['error', 'warning', 'info']),
            rule: slug,
            message: text(1_000),
            file: text(200),
            line: whole(0, 10_000_000),
          },
          ['level', 'rule', 'message'],
        ),
        indexLimits.findings,
      ),
    },
    ['format', 'name', 'version', 'checked', 'findings'],
  ),
  findProblem: ({ checked }) => (isMoment(checked) ? undefined : 'checked is no moment'),
})
