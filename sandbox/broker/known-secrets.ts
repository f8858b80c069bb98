/** Shorter values would cut ordinary words to pieces. */
const minLength = 4
const maxTenants = 10_000
const mask = '********'

/** The secrets that plugins were shown, by plugin and tenant; what they log is cleared of them. */
export class KnownSecrets {
  readonly #secrets = new Map<string, readonly string[]>()

  /** Remembers the values of one tenant's secrets; the latest reading replaces the one before. */
  remember(plugin: string, tenantId: number, values: readonly unknown[]): void {
    const texts = values.filter((value) => typeof value === 'string').filter((value) => value.length >= minLength)
    const key = `${plugin} ${tenantId}`
    this.#secrets.delete(key)
    if (texts.length === 0) return
    // As they stand in JSON, too; and the longest first, so that none leaves its end behind.
    const spellings = texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)])
    this.#secrets.set(
      key,
      [...new Set(spellings)].sort((a, b) => b.length - a.length),
    )
    if (this.#secrets.size > maxTenants) this.#secrets.delete(this.#secrets.keys().next().value ?? '')
  }

  /** The text without the secrets. */
  mask(plugin: string, tenantId: number, text: string): string {
    const secrets = this.#secrets.get(`${plugin} ${tenantId}`) ?? []
    return secrets.reduce((masked, secret) => masked.replaceAll(secret, mask), text)
  }

  /** Forgets what a plugin was shown. */
  forget(plugin: string): void {
    for (const key of this.#secrets.keys()) if (key.startsWith(`${plugin} `)) this.#secrets.delete(key)
  }
}
