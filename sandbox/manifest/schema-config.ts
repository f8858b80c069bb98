import { configTypes } from '#kernel'
import { list, localised, object, oneOf, shortName, text, whole, type Schema } from './schema-parts.ts'

const option: Schema = {
  anyOf: [text(100), object({ value: text(100), label: localised(100) }, ['value', 'label'])],
}
const length = whole(0, 1_000_000)
const bound: Schema = { type: 'number' }

/** One item of a configuration. */
export const configItem: Schema = object(
  {
    key: shortName(40),
    type: oneOf(configTypes),
    scope: oneOf(['tenant', 'platform']),
    label: localised(100),
    description: localised(500),
    options: list(option, 200, 1),
    default: {},
    required: { type: 'boolean' },
    boundTo: list(shortName(40), 10, 1),
    rules: object({
      min: bound,
      max: bound,
      min_value: bound,
      max_value: bound,
      min_length: length,
      max_length: length,
      pattern: text(200),
    }),
  },
  ['key', 'type', 'scope'],
)
