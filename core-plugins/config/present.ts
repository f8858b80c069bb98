import { pickText, versionOfText, type ConfigItemDeclaration } from '#kernel'
import { codeDefault, isSensitive, type CatalogueGroup, type CatalogueItem } from './catalogue/catalogue.ts'
import type { ConfigGroup, ConfigItem, ConfigOption, EffectiveValue } from './contract.ts'

const ruleNames = ['min', 'max', 'min_value', 'max_value', 'min_length', 'max_length', 'pattern', 'format'] as const

/** What of an item's value goes out with it. */
interface ShownValue extends EffectiveValue {
  readonly isSet: boolean
  readonly isReadonly: boolean
  readonly updatedAt: Date | null
  readonly updatedBy: number | null
}

/** Item and value, in which secrets are masked → response body, under the key to be shown. */
export function presentItem(item: CatalogueItem, key: string, shown: ShownValue, locale: string): ConfigItem {
  const { declaration } = item
  const isSecret = declaration.type === 'PASSWORD'
  return {
    key,
    name: pickText(declaration.name, locale),
    description: declaration.description ? pickText(declaration.description, locale) : '',
    type: declaration.type,
    scope: item.scope,
    group: item.group,
    value: shown.value,
    default: isSecret ? '' : codeDefault(item),
    source: shown.source,
    is_set: shown.isSet,
    required: declaration.required ?? false,
    readonly: shown.isReadonly,
    public: declaration.public ?? false,
    sensitive: isSensitive(item),
    encrypted: isSecret,
    sort: item.sort,
    rules: Object.fromEntries(ruleNames.map((name) => [name, declaration.rules?.[name] ?? null])),
    options: presentOptions(declaration.options ?? [], locale),
    dynamic_options: declaration.dynamicOptions ?? false,
    options_source: declaration.optionsSource ?? null,
    ui: presentUi(declaration),
    updated_at: shown.updatedAt?.toISOString() ?? null,
    updated_by: shown.updatedBy,
  }
}

/** Group → response body, with those of the given groups that stand below it. */
export function presentGroup(group: CatalogueGroup, all: readonly CatalogueGroup[], locale: string): ConfigGroup {
  const { code, name, description, icon, parent, sort, scope, items } = group.declaration
  const others = all.filter((other) => other !== group)
  return {
    code,
    name: pickText(name, locale),
    description: description ? pickText(description, locale) : '',
    icon: icon ?? null,
    parent_code: parent ?? null,
    sort,
    scope,
    item_count: items.length,
    readonly: items.length > 0 && items.every((item) => item.readonly),
    children: others.flatMap((other) => (other.declaration.parent === code ? presentGroup(other, others, locale) : [])),
  }
}

/** Groups → a tree; one whose parent is not among them stands at the top. */
export function presentTree(all: readonly CatalogueGroup[], locale: string): readonly ConfigGroup[] {
  const codes = new Set(all.map(({ code }) => code))
  const tops = all.filter(({ declaration: { parent } }) => parent === undefined || !codes.has(parent))
  return tops.map((group) => presentGroup(group, all, locale))
}

/** The version of a group's items as they are shown; a secret's change shows in its moment. */
export function versionOf(items: readonly ConfigItem[]): string {
  return versionOfText(JSON.stringify(items))
}

/** Options → response body. */
export function presentOptions(options: readonly ConfigOption[], locale: string): ConfigItem['options'] {
  return options.map(({ label, value, disabled = false }) => ({ label: pickText(label, locale), value, disabled }))
}

function presentUi({ ui }: ConfigItemDeclaration): ConfigItem['ui'] {
  return { placeholder: ui?.placeholder ?? '', unit: ui?.unit ?? '', visible_when: ui?.visibleWhen ?? null }
}
