import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '#kernel'
import type { CatalogueGroup, CatalogueItem } from '../catalogue/catalogue.ts'
import type { SecretMembers } from '../extensions/secret-members.ts'
import type { CheckedWrite } from './plan-write.ts'
import { presentFault } from '../values/fault.ts'
import { isEmptyValue } from '../values/normalise.ts'
import { mask } from '../reading/value-codec.ts'

type Values = Readonly<Record<string, unknown>>

/** A group's values before and after a write, secrets in plain text. */
interface Turn {
  readonly before: Values
  readonly after: Values
}

/** What ties secrets to the server that they were given for: one that is kept goes to no other. */
export class Bonds {
  readonly #members: SecretMembers

  constructor(members: SecretMembers) {
    this.#members = members
  }

  /** Whether an item is a secret that other values say the way of, or has some. */
  has({ key, declaration }: CatalogueItem): boolean {
    return declaration.boundTo !== undefined || this.#members.bondOf(key) !== undefined
  }

  /** Secrets that a write would send elsewhere without giving them again, as faults of their fields. */
  faultsOf(
    group: CatalogueGroup,
    write: CheckedWrite,
    turn: Turn,
    { locale, shorten }: { readonly locale: string | undefined; readonly shorten: (key: string) => string },
  ): readonly FieldError[] {
    return [...group.items.values()].flatMap((item) => {
      const given = write.values.has(item) ? write.values.get(item) : mask
      return this.#strayed(item, given, turn).map(({ member, by }) => {
        const field = shorten(item.key) + (member === undefined ? '' : `.${member}`)
        return presentFault(field, { rule: 'bound', params: { by: by.map(shorten).join(', ') } }, locale)
      })
    })
  }

  #strayed(
    { key, declaration }: CatalogueItem,
    given: unknown,
    { before, after }: Turn,
  ): readonly { readonly member?: string; readonly by: readonly string[] }[] {
    const { boundTo } = declaration
    if (boundTo) {
      // A place that is emptied gets nothing, and the next one is another than that.
      const by = boundTo.filter(
        (other) => !isEmptyValue(after[other]) && !isDeepStrictEqual(before[other], after[other]),
      )
      return given !== mask || by.length === 0 || isEmptyValue(after[key]) ? [] : [{ by }]
    }
    const bondOf = this.#members.bondOf(key)
    if (!bondOf || !isRecord(after[key])) return []
    return Object.entries(after[key]).flatMap(([member, value]) => {
      const isKept = given === mask || (isRecord(given) && given[member] === mask)
      const isSecret = this.#members.isSecret(key, member) && !isEmptyValue(value)
      if (!isKept || !isSecret || isDeepStrictEqual(bondOf(member, before), bondOf(member, after))) return []
      return [{ member, by: [key] }]
    })
  }
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
