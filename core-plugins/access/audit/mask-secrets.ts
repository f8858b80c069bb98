const secretName =
  /pass(word|wd|phrase)|secret|token|credential|private_?key|api_?key|authorization|cookie|(^|_)t?otp|recovery/i
// Says that there is a secret or when it changed, not what it is.
const factName =
  /^(max|min)_|(_(id|ids|at|count|enabled|required|expires_in|type|hint)|_(min|max)_?\w*)$|^password_(min|max|complexity|expiry)/i
const mask = '********'

/**
 * A copy of plain data without the values of secrets: those under a key that names one, those that stand beside such a
 * name (`{key: 'smtp_password', value: …}`), at any depth, in lists and in texts that are JSON themselves.
 */
export function maskSecrets(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  const named = Object.entries(value).some(([key, name]) => /^(key|name|field)$/.test(key) && isSecret(name))
  const masked = Object.entries(value).map(([key, inner]) => {
    const hides = isSecret(key) || (named && /^(value|default|before|after)$/.test(key))
    return [key, hides && isTelling(inner) ? mask : maskSecrets(inner)]
  })
  return Object.fromEntries(masked)
}

function isSecret(name: unknown): boolean {
  return typeof name === 'string' && secretName.test(name) && !factName.test(name)
}

function isTelling(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && typeof value !== 'boolean'
}

function maskText(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    const parsed: unknown = JSON.parse(text)
    const masked = JSON.stringify(maskSecrets(parsed))
    return masked === JSON.stringify(parsed) ? text : masked
  } catch {
    return text
  }
}
