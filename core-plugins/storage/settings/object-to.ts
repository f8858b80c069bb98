import { defaultLocale, locales, type FieldError, type Locale } from '#kernel'
import type { ConfigObjection } from '../../config/contract.ts'
import type { ConfigOwner, DriverConfig } from '../contract.ts'
import type { DriverTable } from '../drivers/driver-table.ts'

/** What speaks against settings of a driver, under the key they would be stored at. */
export function objectTo(
  drivers: DriverTable,
  key: string,
  owner: ConfigOwner,
  driver: string,
  config: DriverConfig,
): readonly ConfigObjection[] {
  const faultsIn = (locale: Locale): readonly FieldError[] => drivers.schemaOf(driver, owner).faultsOf(config, locale)
  const told = locales.map((locale) => [locale, faultsIn(locale)] as const)
  return faultsIn(defaultLocale).map(({ field, rule, message }, at) => {
    const sentences = told.map(([locale, faults]) => [locale, `{setting} ${faults[at]?.message ?? message}`])
    const sentence = { default: `{setting} ${message}`, ...(Object.fromEntries(sentences) as Record<string, string>) }
    return { key, rule, message: sentence, params: { setting: field } }
  })
}
