import type { ConfigType, SecretBox } from '#kernel'

/** A normalised value as the JSON text that is stored; passwords are sealed. */
export function toStoredText(type: ConfigType, value: unknown, secrets: SecretBox): string {
  return JSON.stringify(type === 'PASSWORD' ? secrets.seal(String(value)) : value)
}

/** The value behind a stored text; passwords are opened. */
export function fromStoredText(type: ConfigType, text: string, secrets: SecretBox): unknown {
  const value = JSON.parse(text) as unknown
  return type === 'PASSWORD' ? secrets.open(String(value)) : value
}
