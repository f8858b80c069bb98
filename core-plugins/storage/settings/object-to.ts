import type { FieldError } from '#kernel'
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
  const faultsIn = (locale: 'en' | 'zh-CN'): readonly FieldError[] =>
    drivers.schemaOf(driver, owner).faultsOf(config, locale)
  const chinese = faultsIn('zh-CN')
  return faultsIn('en').map(({ field, rule, message }, at) => {
    const sentence = { default: `{setting} ${message}`, 'zh-CN': `{setting} ${chinese[at]?.message ?? message}` }
    return { key, rule, message: sentence, params: { setting: field } }
  })
}
