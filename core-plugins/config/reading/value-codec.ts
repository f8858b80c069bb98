import type { SecretBox } from '#kernel'
import type { CatalogueItem } from '../catalogue/catalogue.ts'
import type { SecretMembers } from '../extensions/secret-members.ts'
import { isEmptyValue } from '../values/normalise.ts'

/** What stands for a secret that is set; sent back, it keeps the secret. */
export const mask = '********'

type Item = Pick<CatalogueItem, 'key' | 'declaration'>

/** Turns values into the JSON text that is stored and back; passwords and secret members of JSON objects are sealed. */
export class ValueCodec {
  readonly #secrets: SecretBox
  readonly #members: SecretMembers

  constructor(secrets: SecretBox, members: SecretMembers) {
    this.#secrets = secrets
    this.#members = members
  }

  encode(item: Item, value: unknown): string {
    const seal = (secret: string): string => this.#secrets.seal(secret)
    return JSON.stringify(this.#mapSecrets(item, value, seal))
  }

  /** Throws 5005 when no key of the ring opens a secret. */
  decode(item: Item, text: string): unknown {
    return this.#mapSecrets(item, JSON.parse(text) as unknown, (token) => this.#secrets.open(token))
  }

  /** The value as it may be shown; a secret that is not set shows so. */
  mask(item: Item, value: unknown): unknown {
    return this.#mapSecrets(item, value, () => mask)
  }

  /** A given value with the secrets that hold now where masks came back; a mask of nothing is nothing. */
  unmask(item: Item, given: unknown, current: unknown): unknown {
    if (item.declaration.type !== 'JSON' || !isRecord(given)) return given
    const known: Readonly<Record<string, unknown>> = isRecord(current) ? current : {}
    const entries = Object.entries(given).flatMap(([member, value]): [string, unknown][] => {
      if (value !== mask || !this.#members.isSecret(item.key, member)) return [[member, value]]
      return Object.hasOwn(known, member) ? [[member, known[member]]] : []
    })
    return Object.fromEntries(entries)
  }

  #mapSecrets(item: Item, value: unknown, change: (secret: string) => string): unknown {
    const apply = (secret: unknown): unknown => (isEmptyValue(secret) ? secret : change(String(secret)))
    if (item.declaration.type === 'PASSWORD') return apply(value)
    if (item.declaration.type !== 'JSON' || !isRecord(value)) return value
    const entries = Object.entries(value).map(([member, inner]) => {
      const isSecret = typeof inner === 'string' && this.#members.isSecret(item.key, member)
      return [member, isSecret ? apply(inner) : inner]
    })
    return Object.fromEntries(entries)
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
