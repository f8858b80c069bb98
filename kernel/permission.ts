import { permissionTaken } from './programming-errors.ts'
import { defineService } from './service.ts'

/** Permissions on one resource: `<resource>:<action>`. */
export interface PermissionDeclaration {
  readonly resource: string
  readonly scope: 'ADMIN' | 'TENANT' | 'USER'
  /** Action → what it lets you do, a sentence. */
  readonly actions: Readonly<Record<string, string>>
  /** Whether rows are also cut by the holder's data scope. */
  readonly dataScoped?: boolean
}

/** One permission that roles may hold. */
export interface Permission {
  readonly name: string
  readonly scope: 'ADMIN' | 'TENANT' | 'USER'
  readonly sentence: string
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
  readonly #permissions = new Map<string, Permission>()

  /** Adds a plugin's permissions until the result is disposed; two owners of one permission are a mistake. */
  register(plugin: string, declarations: readonly PermissionDeclaration[]): Disposable {
    const added = declarations.flatMap(({ resource, scope, actions, dataScoped }) =>
      Object.entries(actions).map(([action, sentence]): Permission => {
        return { name: `${resource}:${action}`, scope, sentence, plugin, dataScoped: dataScoped ?? false }
      }),
    )
    for (const { name } of added) {
      const taken = this.#permissions.get(name)
      if (taken) throw permissionTaken(name, taken.plugin, plugin)
    }
    for (const permission of added) this.#permissions.set(permission.name, permission)
    return {
      [Symbol.dispose]: () => {
        for (const permission of added) {
          if (this.#permissions.get(permission.name) === permission) this.#permissions.delete(permission.name)
        }
      },
    }
  }

  /** All of them, by name. */
  list(): readonly Permission[] {
    return [...this.#permissions.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** One of them, or undefined when no enabled plugin declares it. */
  find(name: string): Permission | undefined {
    return this.#permissions.get(name)
  }
}
