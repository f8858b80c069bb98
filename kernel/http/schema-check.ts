import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AnySchema, Options, ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { FieldError } from '../errors.ts'
import { presentFieldErrors } from './field-errors.ts'
import type { Locale } from './locale.ts'
import type { Schema } from './route.ts'

/** Checks a value, in place: defaults are filled in and, where the check coerces, texts become what the schema says. */
export interface SchemaCheck {
  isValid(value: unknown): boolean
  /** What is wrong with a value that is not valid: all of it, or of a large one the first fault. */
  explain(value: unknown, locale: Locale, extent?: 'all' | 'first'): readonly FieldError[]
}

/** Whether texts become numbers and booleans: paths and queries have nothing but text. */
export type Coercion = 'coerce' | 'exact'

const options: Options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  useDefaults: true,
  validateSchema: true,
}
const quick = { coerce: createAjv({ coerceTypes: 'array' }), exact: createAjv({}) }
// Collecting every fault is work a caller could make us do at will: only what failed the quick check gets that far.
const thorough = { coerce: createAjv({ coerceTypes: 'array', allErrors: true }), exact: createAjv({ allErrors: true }) }

/** Compiles a schema when it is first needed, or at once to find a wrong schema early. */
export function compileSchemaCheck(schema: Schema, coercion: Coercion, when: 'lazily' | 'at-once'): SchemaCheck {
  const check = once(() => compile(quick[coercion], schema))
  const collect = once(() => compile(thorough[coercion], schema))
  if (when === 'at-once') check()
  return {
    isValid: (value) => check()(value),
    explain(value, locale, extent = 'all') {
      const validate = extent === 'all' ? collect() : check()
      validate(value)
      return presentFieldErrors(validate.errors ?? [], locale)
    },
  }
}

function createAjv(more: Options): Ajv2020 {
  const ajv = new Ajv2020({ ...options, ...more })
  formats.default(ajv)
  ajv.addFormat('binary', true)
  // What a form is told beside the rules.
  ajv.addVocabulary(['example', 'x-secret', 'x-order', 'x-visible-when'])
  return ajv
}

/** Compiles and lets go of the schema, so that ajv's cache does not keep what disabled plugins left. */
function compile(ajv: Ajv2020, schema: Schema): ValidateFunction {
  const plain: unknown = schema
  const validate = ajv.compile(plain as AnySchema)
  ajv.removeSchema(plain as AnySchema)
  return validate
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
