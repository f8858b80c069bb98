import type { FieldError } from '#kernel'
import type { PluginProvider } from '../../plugin-offers/contract.ts'
import { faultOf } from '../faults.ts'
import type { PluginProviderName, ProviderType } from '../tables.ts'
import type { SecretChange } from './secrets.ts'

/** What of a provider is checked against its type. */
export interface ProviderFields {
  readonly type: ProviderType
  readonly plugin: PluginProviderName | null
  readonly baseUrl: string | null
  readonly settings: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

/** Names of headers that carry secrets: those are sealed as credentials. */
const secretHeader =
  /^(authorization|proxy-authorization|x-api-key|api-key|x-goog-api-key|cookie)$|token|secret|password/i
/** Of the connection, which is the platform's. */
const reservedHeader =
  /^(host|connection|keep-alive|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|accept-encoding)$/i

/** The fields of secrets that a type has; of a plugin's provider those that it names. */
export function secretFields(type: ProviderType, offered: PluginProvider | undefined): readonly string[] {
  if (type === 'demo') return []
  if (type !== 'plugin') return ['api_key']
  const passwords = (offered?.config ?? []).filter((item) => item.type === 'PASSWORD').map(({ key }) => key)
  return [...new Set([...(offered?.secrets ?? []), ...passwords])]
}

/** What does not fit together, whatever the network says. */
export function providerFaults(
  fields: ProviderFields,
  credentials: SecretChange,
  offered: PluginProvider | undefined,
): readonly FieldError[] {
  const { type, plugin, baseUrl, settings, headers } = fields
  const known = new Set(secretFields(type, offered))
  const faults: FieldError[] = []
  const notForType = (field: string): void => void faults.push(faultOf(field, 'not_for_type', 'is not for this type'))
  if (type === 'plugin' && plugin === null) faults.push(faultOf('plugin', 'required', 'is required for this type'))
  if (type !== 'plugin' && plugin !== null) notForType('plugin')
  if (type !== 'plugin' && Object.keys(settings).length > 0) notForType('settings')
  if (type === 'demo' && baseUrl !== null) notForType('base_url')
  if (type !== 'demo' && baseUrl === null) faults.push(faultOf('base_url', 'required', 'is required for this type'))
  if (plugin !== null && !offered) {
    faults.push(faultOf('plugin', 'plugin_provider', 'No plugin that runs here brings this provider'))
  }
  for (const field of Object.keys(credentials)) if (!known.has(field)) notForType(`credentials.${field}`)
  return [...faults, ...settingFaults(settings, offered), ...headerFaults(headers)]
}

/** Secrets that stay although the address changes, and would be sent to another one than they were given for. */
export function unboundSecrets(set: readonly string[], change: SecretChange): readonly FieldError[] {
  return set
    .filter((field) => change[field] === undefined)
    .map((field) => faultOf(`credentials.${field}`, 'secret_again', 'must be given again, because the address changes'))
}

function settingFaults(
  settings: Readonly<Record<string, unknown>>,
  offered: PluginProvider | undefined,
): readonly FieldError[] {
  if (!offered) return []
  const secrets = new Set(secretFields('plugin', offered))
  const open = offered.config.filter(({ key }) => !secrets.has(key))
  const unknown = Object.keys(settings).filter((key) => !open.some((item) => item.key === key))
  const missing = open.filter(({ key, required, default: otherwise }) => {
    return required && otherwise === undefined && settings[key] === undefined
  })
  return [
    ...unknown.map((key) => faultOf(`settings.${key}`, 'unknown_field', 'is no setting of the plugin’s provider')),
    ...missing.map(({ key }) => faultOf(`settings.${key}`, 'required', 'is required')),
  ]
}

function headerFaults(headers: Readonly<Record<string, string>>): readonly FieldError[] {
  return Object.keys(headers).flatMap((name) => {
    const field = `headers.${name}`
    if (reservedHeader.test(name)) return [faultOf(field, 'reserved_header', 'is set by the platform')]
    return secretHeader.test(name) ? [faultOf(field, 'secret_header', 'belongs into credentials')] : []
  })
}
