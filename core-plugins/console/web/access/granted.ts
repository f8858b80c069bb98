import type { Resource } from './wire.ts'

/** By what permissions of a role give this one: by everything, by all of its resource, or by its name. */
export function givenBy(
  granted: ReadonlySet<string>,
  resource: string,
  permission: string,
): 'everything' | 'resource' | 'name' | undefined {
  if (granted.has('*:*')) return 'everything'
  if (granted.has(`${resource}:*`)) return 'resource'
  return granted.has(permission) ? 'name' : undefined
}

/** Whether permissions of a role give this one, by its name or by a wildcard. */
export function gives(granted: ReadonlySet<string>, resource: string, permission: string): boolean {
  return givenBy(granted, resource, permission) !== undefined
}

/** How many actions of a resource a role gives. */
export function countGiven(granted: ReadonlySet<string>, { resource, actions }: Resource): number {
  return actions.filter(({ permission }) => gives(granted, resource, permission)).length
}

/** The permissions with some given or taken; what the caller may not give stays as it is. */
export function withGiven(
  granted: ReadonlySet<string>,
  permissions: readonly string[],
  isGiven: boolean,
): ReadonlySet<string> {
  const next = new Set(granted)
  for (const permission of permissions) {
    if (isGiven) next.add(permission)
    else next.delete(permission)
  }
  return next
}

/** Resources of which something fits the words, or that a role gives something of. */
export function fitting(
  resources: readonly Resource[],
  words: string,
  only: ReadonlySet<string> | undefined,
): readonly Resource[] {
  const wanted = words.trim().toLowerCase()
  return resources.flatMap((resource) => {
    const actions = resource.actions.filter(
      ({ permission, title }) =>
        (wanted === '' || permission.includes(wanted) || title.toLowerCase().includes(wanted)) &&
        (only === undefined || gives(only, resource.resource, permission)),
    )
    return actions.length === 0 ? [] : [{ ...resource, actions }]
  })
}
