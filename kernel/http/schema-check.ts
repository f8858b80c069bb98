import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AnySchema, Options, ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { FieldError } from '../errors.ts'
import { isTimeZone } from '../time-zone.ts'
import { presentFieldErrors } from './field-errors.ts'
import type { Locale } from '../locale/locale.ts'
import type { Schema } from './route.ts'

/** Checks a value, in place: defaults are filled in and, where the check coerces, texts become what the schema says. */
export interface SchemaCheck {
  isValid(value: unknown): boolean
  /** What is wrong with a value that is not valid: all of it, or of a large one the first fault. */
  explain(value: unknown, locale: Locale, extent?: 'all' | 'first'): readonly FieldError[]
}

/** Whether texts become numbers and booleans: paths and queries have nothing but text. */
type Coercion = 'coerce' | 'exact'

const { validate: isWritten } = fullFormats['date-time'] as { readonly validate: (text: string) => boolean }
const options: Options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  useDefaults: true,
  validateSchema: false,
}
// To compile the meta-schema takes longer than most of what a start compiles: one of the four instances does it for all.
const quick = { coerce: createAjv({ coerceTypes: 'array' }), exact: createAjv({}) }
// Collecting every fault is work a caller could make us do at will: only what failed the quick check gets that far.
const thorough = { coerce: createAjv({ coerceTypes: 'array', allErrors: true }), exact: createAjv({ allErrors: true }) }

const compiled = new Map(
  [...Object.values(quick), ...Object.values(thorough)].map((ajv) => [ajv, new WeakMap<object, ValidateFunction>()]),
)

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
  ajv.addFormat('date-time', (text) => isWritten(text) && isKept(text))
  ajv.addFormat('binary', true)
  ajv.addFormat('time-zone', isTimeZone)
  // What a form is told beside the rules.
  ajv.addVocabulary(['example', 'x-secret', 'x-order', 'x-visible-when'])
  return ajv
}

/** Whether a date and database know a moment: not 60 seconds of a minute, nor hours of years before 1 or after 9999 elsewhere. */
function isKept(moment: string): boolean {
  const year = new Date(moment).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/**
 * Compiles a schema once for as long as it lives, and lets go of it, so that ajv's own cache does not keep what disabled
 * plugins left. A plugin that is enabled again, or in a second kernel of the process, brings the same objects.
 */
function compile(ajv: Ajv2020, schema: Schema): ValidateFunction {
  if (typeof schema !== 'object') return ajv.compile(schema)
  const known = compiled.get(ajv)?.get(schema)
  if (known) return known
  const plain: unknown = schema
  const { exact } = quick
  if (exact.validateSchema(plain as AnySchema) !== true) throw new Error(`schema is invalid: ${exact.errorsText()}`)
  const validate = ajv.compile(plain as AnySchema)
  ajv.removeSchema(plain as AnySchema)
  compiled.get(ajv)?.set(schema, validate)
  return validate
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
