import type { Knex } from 'knex'
import type { AiModelUsers } from '../contract.ts'
import { routesNaming } from '../gateway/routes-naming.ts'
import type { ModelRow } from '../tables.ts'

type Users = Parameters<AiModelUsers['register']>[0]

/** Told at most, of each kind. */
const most = 100

/** Who would miss a model: routes, and whoever registers. */
export class ModelUsers implements AiModelUsers {
  readonly #known = new Set<Users>()

  register(users: Users): Disposable {
    this.#known.add(users)
    return { [Symbol.dispose]: () => void this.#known.delete(users) }
  }

  /** Those who name a model, by kind; undefined where nobody does. */
  async of(
    model: Pick<ModelRow, 'tenantId' | 'name' | 'aliases'>,
    db: Knex,
  ): Promise<Readonly<Record<string, readonly string[]>> | undefined> {
    const { tenantId, name, aliases } = model
    const found: Record<string, readonly string[]> = { routes: await routesNaming(model, db) }
    for (const users of this.#known) {
      found[users.kind] = await users.naming(tenantId === 0 ? undefined : tenantId, [name, ...aliases], db)
    }
    const named = Object.entries(found).filter(([, names]) => names.length > 0)
    if (named.length === 0) return undefined
    return Object.fromEntries(named.map(([kind, names]) => [kind, names.slice(0, most)]))
  }
}
