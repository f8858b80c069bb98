import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AnySchema, Options, ValidateFunction } from 'ajv'
import { isTimeZone, type FieldError, type Locale, type Schema } from '#kernel'
import { faultOf, presentFaults } from './faults.ts'

/** Longest value where its declaration says nothing else, as bytes of JSON. */
const usualBytes = 4096

/** Holds values of one preference against its schema. */
export interface ValueCheck {
  isValid(value: unknown): boolean
  /** Every rule that a value breaks; empty for a valid one. */
  explain(value: unknown, locale: Locale): readonly FieldError[]
}

const own = createAjv()
// A pattern of a third party could keep this process busy for as long as it likes; here the keywords are unknown, and refused.
// Schemas themselves are checked by the other one, because the schema of schemas has patterns.
const foreign = createAjv({ meta: false, validateSchema: false })
  .removeKeyword('pattern')
  .removeKeyword('patternProperties')

const compiled = new Map([own, foreign].map((ajv) => [ajv, new WeakMap<object, ValidateFunction>()]))

/** Compiles the schema of a preference; throws when it is none, or a third party's asks for more than it may. */
export function compileValueCheck(key: string, schema: Schema, mostBytes = usualBytes): ValueCheck {
  const validate = compile(key.startsWith('plugin.') ? foreign : own, schema)
  return {
    isValid: (value) => sizeOf(value) <= mostBytes && validate(value),
    explain(value, locale) {
      if (sizeOf(value) > mostBytes) return [faultOf(key, 'too_large', locale, { max: mostBytes })]
      return validate(value) ? [] : presentFaults(key, validate.errors ?? [], locale)
    },
  }
}

function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    logger: false,
    ...options,
  })
  return ajv.addFormat('time-zone', isTimeZone)
}

/**
 * Compiles a schema once for as long as it lives, and lets go of it, so that ajv's cache does not keep what disabled plugins
 * left. A plugin that is enabled again, or in a second kernel of the process, brings the same objects.
 */
function compile(ajv: Ajv2020, schema: Schema): ValidateFunction {
  const plain: unknown = schema
  const known = typeof schema === 'object' ? compiled.get(ajv)?.get(schema) : undefined
  if (known) return known
  if (own.validateSchema(plain as AnySchema) !== true) throw new TypeError(own.errorsText())
  try {
    const validate = ajv.compile(plain as AnySchema)
    // Its check would answer with a promise, which is always true.
    if ('$async' in validate) throw new TypeError('the schema is asynchronous')
    if (typeof schema === 'object') compiled.get(ajv)?.set(schema, validate)
    return validate
  } finally {
    ajv.removeSchema(plain as AnySchema)
  }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
