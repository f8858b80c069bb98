import type { Localised } from './locale/locale.ts'
import { permissionTaken } from './programming-errors.ts'
import { defineService } from './service.ts'

/** Permissions on one resource: `<resource>:<action>`. */
export interface PermissionDeclaration {
  readonly resource: string
  readonly scope: 'ADMIN' | 'TENANT' | 'USER'
  /** Action → what it lets you do: a sentence in English, told to others as `texts/` have it, or one in several languages. */
  readonly actions: Readonly<Record<string, string | Localised>>
  /** Whether rows are also cut by the holder's data scope. */
  readonly dataScoped?: boolean
}

/** One permission that roles may hold. */
export interface Permission {
  readonly name: string
  readonly scope: 'ADMIN' | 'TENANT' | 'USER'
  readonly sentence: string | Localised
  readonly plugin: string
  readonly dataScoped: boolean
}

/** Every permission of every enabled plugin, for roles to choose from. */
export interface PermissionRegistry {
  list(): readonly Permission[]
  find(name: string): Permission | undefined
}

/** Provided by the kernel. */
export const permissionRegistry = defineService<PermissionRegistry>('kernel.permission_registry')

/** Whether a held permission, which may end in `*`, covers the one asked for. */
export function coversPermission(held: string, asked: string): boolean {
  if (held === asked || held === '*:*') return true
  if (!held.endsWith(':*')) return false
  return asked.slice(0, asked.lastIndexOf(':')) === held.slice(0, -2)
}

/** A quick answer to "may they?" over a set of held permissions. */
export function compilePermissionCheck(held: Iterable<string>): (asked: string) => boolean {
  const set = new Set(held)
  if (set.has('*:*')) return () => true
  return (asked) => set.has(asked) || set.has(`${asked.slice(0, asked.lastIndexOf(':'))}:*`)
}

/** Keeps the permissions of enabled plugins. */
export class PermissionTable implements PermissionRegistry {
  /** By name; one that administrators and tenants may hold stands here once for each of them. */
  readonly #permissions = new Map<string, readonly Permission[]>()

  /** Adds a plugin's permissions until the result is disposed; two owners of one permission are a mistake. */
  register(plugin: string, declarations: readonly PermissionDeclaration[]): Disposable {
    const added = new Map<string, readonly Permission[]>()
    for (const { resource, scope, actions, dataScoped = false } of declarations) {
      for (const [action, sentence] of Object.entries(actions)) {
        const name = `${resource}:${action}`
        const others = added.get(name) ?? []
        const owner = this.find(name) ?? others.find((other) => other.scope === scope)
        if (owner) throw permissionTaken(name, owner.plugin, plugin)
        added.set(name, [...others, { name, scope, sentence, plugin, dataScoped }])
      }
    }
    for (const [name, permissions] of added) this.#permissions.set(name, permissions)
    return {
      [Symbol.dispose]: () => {
        for (const [name, permissions] of added) {
          if (this.#permissions.get(name) === permissions) this.#permissions.delete(name)
        }
      },
    }
  }

  /** All of them, by name; one of two scopes once for each. */
  list(): readonly Permission[] {
    return [...this.#permissions.values()].flat().sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** One of them, or undefined when no enabled plugin declares it. */
  find(name: string): Permission | undefined {
    return this.#permissions.get(name)?.[0]
  }
}
