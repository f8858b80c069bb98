const secretKey = /pass(word|wd|phrase)|secret|token|credential|private_?key|api_?key|authorization|cookie/i
const mask = '********'

/** A copy of plain data in which every value under a key that names a secret is masked. */
export function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  const masked = Object.entries(value).map(([key, inner]) => {
    const isSecret = secretKey.test(key) && inner !== null && inner !== undefined && typeof inner !== 'boolean'
    return [key, isSecret ? mask : maskSecrets(inner)]
  })
  return Object.fromEntries(masked)
}
