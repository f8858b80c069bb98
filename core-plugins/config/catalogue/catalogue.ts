import type { ConfigGroupDeclaration, ConfigItemDeclaration } from '#kernel'
import type { ConfigScope } from '../contract.ts'
import { ConfigError } from '../errors.ts'
import { checkValue } from '../values/check-value.ts'
import { matchesInTime, matchesPattern, type PatternMatcher } from '../values/matches-pattern.ts'
import { emptyOf } from '../values/normalise.ts'

/** Members of a wrapped body; an item of such a name could not be told from it. */
const reservedKeys: ReadonlySet<string> = new Set(['values', 'configs', 'items', 'reset'])

/** An item of an enabled plugin. */
export interface CatalogueItem {
  readonly key: string
  readonly scope: ConfigScope
  readonly group: string
  readonly sort: number
  readonly declaration: ConfigItemDeclaration
  /** The normalised default, or undefined where the declaration has none. */
  readonly default: unknown
  /** Holds a written value against the item's pattern. */
  readonly matches: PatternMatcher
}

/** A group of an enabled plugin. */
export interface CatalogueGroup {
  readonly code: string
  readonly owner: string
  readonly declaration: ConfigGroupDeclaration
  readonly items: ReadonlyMap<string, CatalogueItem>
}

/** Every group that an enabled plugin declares. */
export class Catalogue {
  readonly #groups = new Map<string, CatalogueGroup>()
  readonly #items = new Map<string, CatalogueItem>()

  /** Adds a plugin's groups until the result is disposed; a code or key that is taken is a fault of the plugin. */
  add(owner: string, declarations: readonly ConfigGroupDeclaration[]): Disposable {
    const groups = declarations.map((declaration) => compileGroup(owner, declaration))
    const items = groups.flatMap((group) => [...group.items.values()])
    this.#refuseTaken(groups, items)
    for (const group of groups) this.#groups.set(group.code, group)
    for (const item of items) this.#items.set(nameOf(item.scope, item.key), item)
    return {
      [Symbol.dispose]: () => {
        for (const group of groups) this.#groups.delete(group.code)
        for (const item of items) this.#items.delete(nameOf(item.scope, item.key))
      },
    }
  }

  /** All groups, by their sort and code. */
  list(): readonly CatalogueGroup[] {
    return [...this.#groups.values()].sort(
      (a, b) => a.declaration.sort - b.declaration.sort || (a.code < b.code ? -1 : 1),
    )
  }

  findGroup(code: string): CatalogueGroup | undefined {
    return this.#groups.get(code)
  }

  /** The item a reader means: a key may exist for tenants and for the platform. */
  findItem(key: string, tenantId: number): CatalogueItem | undefined {
    const [first, second] =
      tenantId > 0 ? (['ALL_TENANTS', 'ADMIN_ONLY'] as const) : (['ADMIN_ONLY', 'ALL_TENANTS'] as const)
    return this.#items.get(nameOf(first, key)) ?? this.#items.get(nameOf(second, key))
  }

  #refuseTaken(groups: readonly CatalogueGroup[], items: readonly CatalogueItem[]): void {
    const codes = groups.map(({ code }) => code)
    const names = items.map(({ scope, key }) => nameOf(scope, key))
    const taken =
      codes.find((code, index) => this.#groups.has(code) || codes.indexOf(code) < index) ??
      names.find((name, index) => this.#items.has(name) || names.indexOf(name) < index)
    if (taken !== undefined) throw new ConfigError({ fault: `${taken} is declared twice` })
  }
}

/** The code default, or the type's empty value where there is none. */
export function codeDefault({ declaration, default: declared }: CatalogueItem): unknown {
  return declared === undefined ? emptyOf[declaration.type] : declared
}

/** Whether a change of it is worth a second look: what its declaration says, and a secret unless it says otherwise. */
export function isSensitive({ declaration: { approval, type } }: CatalogueItem): boolean {
  return approval === undefined ? type === 'PASSWORD' : approval === 'sensitive'
}

/** What tells items of one key apart. */
export function nameOf(scope: ConfigScope, key: string): string {
  return `${scope}:${key}`
}

function compileGroup(owner: string, declaration: ConfigGroupDeclaration): CatalogueGroup {
  const { code, scope } = declaration
  // The codes of third parties' groups begin so, and no other's.
  const matches = code.startsWith('plugin.') ? matchesInTime : matchesPattern
  const items = declaration.items.map((item, index): CatalogueItem => {
    if (reservedKeys.has(item.key)) throw new ConfigError({ fault: `${item.key} is a reserved key` })
    return {
      key: item.key,
      scope,
      group: code,
      sort: (index + 1) * 10,
      declaration: item,
      default: compileDefault(item, matches),
      matches,
    }
  })
  return { code, owner, declaration, items: new Map(items.map((item) => [item.key, item])) }
}

function compileDefault(item: ConfigItemDeclaration, matches: PatternMatcher): unknown {
  if (item.rules?.pattern !== undefined) compilePattern(item.key, item.rules.pattern)
  if (item.default === undefined) return undefined
  // A required item without a default of its own says so with an empty one.
  const { value, faults } = checkValue({ ...item, required: false }, item.default, unlessProven(matches))
  if (faults.length > 0) throw new ConfigError({ fault: `the default of ${item.key} breaks its own rules` })
  return value
}

/** A default that there was no time to check is taken: a start must not fail because the machine is busy. */
function unlessProven(matches: PatternMatcher): PatternMatcher {
  return (source, texts) => (matches(source, texts) === 'no' ? 'no' : 'yes')
}

function compilePattern(key: string, pattern: string): void {
  try {
    new RegExp(pattern, 'u')
  } catch (cause) {
    throw new ConfigError({ fault: `the pattern of ${key} is no regular expression` }, { cause })
  }
}
