import type { AiProvider } from '#sandbox'
import { ProviderSecretError } from '../errors.ts'

const placeholder = /\{\{secret:([a-z][a-z0-9_]{0,39})\}\}/g
const visible = /^[\x20-\x7e]*$/
/** Shorter values would cut ordinary words to pieces. */
const minMasked = 4
const mask = '********'

type Values = Readonly<Record<string, unknown>>
type Secrets = Pick<AiProvider, 'secrets' | 'config'>

/** The settings as the plugin sees them: a placeholder for each secret, whether it is set or not. */
export function hideSecrets(provider: Secrets, config: Values): Values {
  const hidden = secretKeys(provider).map((key) => [key, `{{secret:${key}}}`] as const)
  return { ...config, ...Object.fromEntries(hidden) }
}

/** A header's value with its placeholders filled in; throws 422/4222 for a secret that is not set or no header can hold. */
export function fillSecrets(provider: Secrets, config: Values, value: string): string {
  const keys = new Set(secretKeys(provider))
  return value.replace(placeholder, (_, key: string) => {
    const secret = keys.has(key) ? config[key] : undefined
    if (typeof secret !== 'string' || secret === '') throw new ProviderSecretError({ key, fault: 'is not set' })
    if (!visible.test(secret)) throw new ProviderSecretError({ key, fault: 'has characters that no header can hold' })
    return secret
  })
}

/** A text of the provider's without the secrets, should it have echoed one. */
export function maskSecrets(provider: Secrets, config: Values, text: string): string {
  return secretKeys(provider)
    .map((key) => config[key])
    .filter((secret): secret is string => typeof secret === 'string' && secret.length >= minMasked)
    .sort((a, b) => b.length - a.length)
    .reduce((masked, secret) => masked.replaceAll(secret, mask), text)
}

/** Those named as secrets, and every other password: one that was forgotten in the list is none the less one. */
function secretKeys({ secrets = [], config = [] }: Secrets): readonly string[] {
  return [...new Set([...secrets, ...config.flatMap(({ key, type }) => (type === 'PASSWORD' ? key : []))])]
}
