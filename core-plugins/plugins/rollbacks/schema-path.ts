import type { Knex } from 'knex'
import type { ReleaseTables } from '../tables/own-tables.ts'

/** How the tables of a plugin, as they are, differ from those of a release. */
interface SchemaPath {
  /** Migrations to be taken back, the last first. */
  readonly back: readonly string[]
  /** The first of them that cannot be; or, where the history is another one, the first that differs. */
  readonly obstacle: string | undefined
}

interface Step {
  readonly id: string
  readonly hash: string | null
}

/** Finds the way from the tables as they are, which the release in use made, to those of another release. */
export async function findSchemaPath(db: Knex, from: ReleaseTables, to: ReleaseTables): Promise<SchemaPath> {
  const applied = await db('plugin_migrations')
    .where({ plugin: from.manifest.name })
    .orderBy('migration')
    .select<Step[]>('migration as id', 'hash')
  const wanted = listSteps(to)
  const differing = wanted.find((step, index) => !isSame(step, applied[index]))
  const common = differing ? wanted.indexOf(differing) : wanted.length
  const rest = applied.slice(common)
  const foreign = differing && rest.length > 0 ? differing.id : undefined
  const oneWay = rest.toReversed().find(({ id }) => !from.migrations.some((one) => one.id === id && one.down))
  return {
    back: rest.map(({ id }) => id).toReversed(),
    obstacle: oneWay?.id ?? foreign,
  }
}

function listSteps({ migrations, files = [] }: ReleaseTables): readonly Step[] {
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]))
  return migrations.map(({ id }) => ({ id, hash: hashes.get(`migrations/${id}.up.sql`) ?? null }))
}

/** What was applied before hashes were kept is known by its name alone. */
function isSame(wanted: Step, applied: Step | undefined): boolean {
  return applied?.id === wanted.id && (applied.hash === null || applied.hash === wanted.hash)
}
