/** A JSON Schema, as ajv reads it. */
export type Schema = Readonly<Record<string, unknown>>

/** A text of bounded length that is not empty. */
export const text = (maxLength: number): Schema => ({ type: 'string', minLength: 1, maxLength })

/** A text of bounded length that fits a pattern. */
export const matching = (pattern: RegExp, maxLength: number): Schema => ({
  type: 'string',
  maxLength,
  pattern: pattern.source,
})

/** A whole number between two bounds. */
export const whole = (minimum: number, maximum: number): Schema => ({ type: 'integer', minimum, maximum })

/** One of a closed list. */
export const oneOf = (values: readonly unknown[]): Schema => ({ enum: values })

/** A list of bounded length; scalars in it are unique. */
export const list = (items: Schema, maxItems: number, minItems = 0): Schema => ({
  type: 'array',
  items,
  minItems,
  maxItems,
  ...(items['type'] === 'string' || items['type'] === 'integer' ? { uniqueItems: true } : {}),
})

/** An object that has nothing but the named members; the ones in `required` must be there. */
export const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** An object with free keys of one form. */
export const record = (keys: Schema, values: Schema, maxProperties: number): Schema => ({
  type: 'object',
  propertyNames: keys,
  additionalProperties: values,
  maxProperties,
})

/** A language tag. */
export const locale = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/

const localeKey: Schema = { anyOf: [{ const: 'default' }, matching(locale, 16)] }

/** A text in several languages. */
export const localised = (maxLength: number): Schema => ({
  ...record(localeKey, text(maxLength), 40),
  required: ['default'],
})

/** The name of an export: an identifier of JavaScript that does not reach for an object's own machinery. */
export const exportName: Schema = {
  ...matching(/^[A-Za-z_$][A-Za-z0-9_$]*$/, 64),
  not: { enum: ['__proto__', 'constructor', 'prototype'] },
}

/** A short name of ours: permission, slot, table, config key. */
export const shortName = (maxLength: number): Schema => matching(/^[a-z][a-z0-9_]*$/, maxLength)

/** An id that may stand in a URL. */
export const slug = matching(/^[a-z0-9]+([_-][a-z0-9]+)*$/, 64)

/** A range of versions, of so many parts that it is read in less than a millisecond. */
export const versionRange = matching(/^ *[^\s|]+(( +(\|\| *)?|\|\| *)[^\s|]+){0,15} *$/, 128)

/** A path of a file in the package. */
export const filePath = (pattern: RegExp): Schema => matching(pattern, 200)

/** A web address without credentials. */
export const webAddress = matching(/^https:\/\/[^\s@]+$/, 500)

/** Any JSON object, such as a JSON Schema; only its size and depth are bounded. */
export const anyObject: Schema = { type: 'object' }
