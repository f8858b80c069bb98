import { compileSchemaCheck, type FieldError, type Locale, type Schema } from '#kernel'
import type { DriverConfig, StorageDriver } from '../contract.ts'
import { isSecretName } from './secret-name.ts'

/** One member of a driver's settings, as far as storage itself looks at it. */
export interface DriverMember {
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly 'x-secret'?: boolean
  readonly 'x-order'?: number
  readonly 'x-visible-when'?: Readonly<Record<string, unknown>>
  readonly [keyword: string]: unknown
}

/** A driver's schema, ready to be used. */
export interface DriverSchema {
  readonly schema: Schema
  readonly members: ReadonlyMap<string, DriverMember>
  /** Settings with their defaults filled in. */
  complete(given: DriverConfig): DriverConfig
  /** What is wrong with settings, by the names of their members. */
  faultsOf(given: DriverConfig, locale: Locale): readonly FieldError[]
}

/** Compiles a driver's schema; throws a TypeError when its secrets are not those that their names say. */
export function compileDriverSchema({ name }: Pick<StorageDriver, 'name'>, schema: Schema): DriverSchema {
  const check = compileSchemaCheck(schema, 'exact', 'at-once')
  const members = new Map(Object.entries(propertiesOf(schema)))
  for (const [member, declared] of members) {
    if ((declared['x-secret'] ?? false) === isSecretName(member)) continue
    throw new TypeError(
      `The setting ${member} of the storage driver ${name} is named as if it were a secret, or is one`,
    )
  }

  function complete(given: DriverConfig): DriverConfig {
    const whole = structuredClone(given)
    // The check fills defaults in, whatever it finds.
    check.isValid(whole)
    return whole
  }

  return {
    schema,
    members,
    complete,
    faultsOf(given, locale) {
      const whole = structuredClone(given)
      if (check.isValid(whole)) return []
      // What a condition wanted stands beside it as a fault of its own.
      return check.explain(whole, locale).filter(({ rule }) => rule !== 'if')
    },
  }
}

function propertiesOf(schema: Schema): Readonly<Record<string, DriverMember>> {
  const { properties = {} } = typeof schema === 'object' ? schema : {}
  return properties as Readonly<Record<string, DriverMember>>
}
