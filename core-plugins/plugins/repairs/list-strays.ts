import { pluginNameForm } from '#sandbox'
import { findTwin } from '../releases/compatibility.ts'
import { listOrphans, type Orphan } from './list-orphans.ts'

type Sources = Parameters<typeof listOrphans>[0]

/** What lies about without a plugin that it belongs to, by the plugin's name or, where that is not known, its hash. */
export async function listStrays(parts: Sources): Promise<readonly string[]> {
  return (await listOrphans(parts)).map(({ name, hash }) => name ?? hash)
}

/** What lies about under a plugin's name without a plugin of that name, if anything does. */
export async function findStray(parts: Sources, name: string): Promise<Orphan | undefined> {
  if (!pluginNameForm.test(name) || (await findTwin(parts.db, name)) !== undefined) return undefined
  return (await listOrphans(parts, name)).find((orphan) => orphan.name === name)
}
