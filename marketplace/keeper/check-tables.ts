import { chmod, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '#kernel'
import { tryMigrations } from '#sandbox'
import type { Finding } from '../lint/finding.ts'
import type { OpenedPackage } from '../package/opened-package.ts'

/**
 * Makes a package's tables in a database of their own, takes them back where it has down files, and makes them again. Throws 400/4009 where PostgreSQL
 * refuses a statement; warns where there is no PostgreSQL for this machine.
 */
export async function checkTables(
  { manifest, migrations }: OpenedPackage,
  scratch: string,
): Promise<readonly Finding[]> {
  if (migrations.length === 0) return []
  const folder = await mkdtemp(join(scratch, 'tables-'))
  // The server may run as somebody else, who must get through.
  for (const path of [scratch, folder]) await chmod(path, 0o711)
  try {
    await tryMigrations(join(folder, 'database'), { manifest, migrations })
    return []
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const message = `The migrations were not tried: ${error.message}`
    return [{ level: 'warning', rule: 'migrations_untried', file: 'migrations/', line: 1, message }]
  }
}
