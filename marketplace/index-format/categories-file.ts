import type { Localised } from '#kernel'
import { schemaParts } from '#sandbox'
import { createFileParser } from './file-parser.ts'
import { indexLimits } from './index-limits.ts'

const { list, localised, object, slug } = schemaParts

/** A category that plugins name in their manifests. */
export interface Category {
  readonly id: string
  readonly title: Localised
}

/** categories.json, in the order in which they are shown. */
export interface CategoriesFile {
  readonly format: 1
  readonly categories: readonly Category[]
}

/** Reads categories.json; throws IndexInvalidError. */
export const parseCategoriesFile = createFileParser<CategoriesFile>({
  file: 'categories.json',
  maxBytes: indexLimits.categoriesBytes,
  maxDepth: 5,
  schema: object(
    {
      format: { const: 1 },
      categories: list(object({ id: slug, title: localised(100) }, ['id', 'title']), indexLimits.categories),
    },
    ['format', 'categories'],
  ),
  findProblem({ categories }) {
    return new Set(categories.map(({ id }) => id)).size === categories.length ? undefined : 'a category is given twice'
  },
})
