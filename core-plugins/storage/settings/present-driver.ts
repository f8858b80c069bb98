import { pickText, type Schema } from '#kernel'
import type { StorageDriver } from '../contract.ts'
import type { DriverMember, DriverSchema } from '../drivers/driver-schema.ts'

/** Driver → response body. */
export function presentDriver(driver: StorageDriver, locale: string) {
  const { name, label, description, plugin = null, capabilities } = driver
  const { presign, range, multipart, imageProcess } = capabilities
  return {
    name,
    label: pickText(label, locale),
    description: pickText(description, locale),
    builtin: plugin === null,
    plugin,
    capabilities: { presign, range, multipart, image_process: imageProcess },
    available: true,
  }
}

/** What a driver asks for → response body, with what a form is made of. */
export function presentDriverSchema(driver: StorageDriver, { schema, members }: DriverSchema, locale: string) {
  const shown = [...members].map(([name, member]) => [name, translate(driver, name, member, locale)] as const)
  const ordered = [...shown].sort(([, a], [, b]) => (a['x-order'] ?? 0) - (b['x-order'] ?? 0))
  return {
    driver: driver.name,
    schema: { ...(schema as object), properties: Object.fromEntries(shown) } as Schema,
    ui: ordered.map(([name, member]) => presentField(name, member)),
    example: Object.fromEntries(Object.entries(driver.example).filter(([name]) => members.has(name))),
  }
}

function presentField(field: string, member: DriverMember) {
  return {
    field,
    title: member.title ?? field,
    description: member.description ?? '',
    widget: widgetOf(member),
    secret: member['x-secret'] ?? false,
    visible_when: member['x-visible-when'] ?? null,
  }
}

function widgetOf(member: DriverMember): string {
  if (member['x-secret']) return 'password'
  if (member['enum']) return 'select'
  const { type } = member
  if (type === 'boolean') return 'switch'
  return type === 'integer' || type === 'number' ? 'number' : 'input'
}

function translate({ texts }: StorageDriver, name: string, member: DriverMember, locale: string): DriverMember {
  return { ...member, ...texts?.[locale]?.[name] }
}
