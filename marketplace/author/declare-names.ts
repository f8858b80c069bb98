import type { ColumnShape, ConfigItem } from '#sandbox'
import { methodsOf } from './copied-services.ts'
import type { PluginNames } from './read-names.ts'
import { schemaType } from './schema-type.ts'

const head = `// Made by stoa of manifest.json, migrations/, locales/ and services/, at every change of them: what is written here is lost.
import type { AnyService, Base64, Json } from '@stoa/plugin-sdk'

declare module '@stoa/plugin-sdk' {
  interface Names {
`
const tail = `  }
}
`

/** What is a list of names and no more. */
const unions = ['publishes', 'subscribes', 'permissions', 'parameters', 'jobs', 'capabilities'] as const

/** The declaration that makes an editor complete the names of a plugin, and refuse others. */
export function declareNames(names: PluginNames): string {
  const { tables, config, texts, templates, uses, copies } = names
  const lines = [
    ...member(
      'tables',
      [...tables].map(([name, columns]) => `${quoted(name)}: ${rowType(columns)}`),
    ),
    ...member(
      'config',
      config.map((item) => `${quoted(item.key)}: ${settingType(item)}`),
    ),
    ...(texts === undefined ? [] : [`    texts: ${union(texts)}`]),
    ...member(
      'services',
      Object.keys(uses).map((service) => `${quoted(service)}: ${serviceType(methodsOf(copies, service))}`),
    ),
    ...member(
      'templates',
      [...templates].map(([name, values]) => `${quoted(name)}: ${union(values)}`),
    ),
    ...unions.map((name) => `    ${name}: ${union(names[name])}`),
  ]
  return `${head}${lines.join('\n')}\n${tail}`
}

function member(name: string, members: readonly string[]): readonly string[] {
  if (members.length === 0) return [`    ${name}: Record<never, never>`]
  return [`    ${name}: {`, ...members.map((line) => `      ${line}`), '    }']
}

/** What the author has no copy of takes any method. */
function serviceType(methods: ReturnType<typeof methodsOf>): string {
  if (!methods) return 'AnyService'
  const members = methods.map(({ name, input, output }) => {
    const [taken, given] = [schemaType(input, 'input'), schemaType(output, 'output')]
    return `readonly ${quoted(name)}: { readonly input: ${taken}; readonly output: ${given} }`
  })
  return `{ ${members.join('; ')} }`
}

function rowType(columns: ReadonlyMap<string, ColumnShape>): string {
  const members = [...columns].map(([name, { type, isNullable }]) => {
    return `readonly ${quoted(name)}: ${valueType(type)}${isNullable ? ' | null' : ''}`
  })
  return `{ ${members.join('; ')} }`
}

/** As the platform gives values back: whole numbers that JSON cannot hold, and decimals, as text. */
function valueType(type: string): string {
  if (type.endsWith('[]')) return `readonly (${valueType(type.slice(0, -2))} | null)[]`
  if (/^(smallint|integer|real|double precision)/.test(type)) return 'number'
  if (type.startsWith('bigint')) return 'number | string'
  if (type.startsWith('bool')) return 'boolean'
  if (type.startsWith('json')) return 'Json'
  return type.startsWith('bytea') ? 'Base64' : 'string'
}

function settingType({ type, options, default: usual }: ConfigItem): string {
  const unset = usual === undefined ? ' | null' : ''
  switch (type) {
    case 'NUMBER':
      return `number${unset}`
    case 'BOOLEAN':
      return `boolean${unset}`
    case 'SELECT':
      return `${union(optionValues(options))}${unset}`
    case 'MULTI_SELECT':
    case 'TAG':
      return `readonly string[]${unset}`
    case 'JSON':
      return 'Json'
    default:
      return `string${unset}`
  }
}

function optionValues(options: ConfigItem['options'] = []): readonly string[] {
  return options.map((option) => (typeof option === 'string' ? option : String(option.value)))
}

function union(values: readonly string[]): string {
  return values.length === 0 ? 'never' : values.map(quoted).join(' | ')
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
