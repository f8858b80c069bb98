import type { DriverConfig } from '../contract.ts'
import { isSecretName } from '../drivers/secret-name.ts'

/** What stands for a secret that is set. */
const mask = '********'

/** Given settings with the secrets that are stored where masks came back; a mask of nothing is nothing. */
export function unmaskConfig(given: DriverConfig, stored: DriverConfig): DriverConfig {
  const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (value !== mask || !isSecretName(name)) return [[name, value]]
    return Object.hasOwn(stored, name) ? [[name, stored[name]]] : []
  })
  return Object.fromEntries(entries)
}

/** The names of secrets for which a mask came back. */
export function maskedIn(given: DriverConfig): readonly string[] {
  return Object.entries(given).flatMap(([name, value]) => (value === mask && isSecretName(name) ? [name] : []))
}
