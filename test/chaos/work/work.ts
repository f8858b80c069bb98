import type { HostIndex, Ledger } from '../ledger.ts'
import type { Random } from '../random.ts'
import type { World } from '../world.ts'

/** Something that callers do again and again, and how it is found out whether what they were told is true. */
export interface Work {
  readonly name: string
  /** How long a caller of one host waits between two steps. */
  readonly everyMs: number
  /** How many call each host; none means one caller that goes from host to host, where the order matters. */
  readonly callers: number
  step(host: HostIndex): Promise<void>
  /** After everything has been mended: reports each lie to the ledger, and returns a line of figures. */
  check(): Promise<string>
}

/** What work is done with. */
export interface WorkParts {
  readonly world: World
  readonly ledger: Ledger
  readonly random: Random
}

/** The real name of a table of the chaos plugin. */
export async function tableOf({ postgres }: World, table: string): Promise<string> {
  const found = await postgres.rows<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.tables
      where table_name like 'plg\\_%\\_' || $1 and table_type = 'BASE TABLE'`,
    [table],
  )
  const [only] = found
  if (!only || found.length > 1) throw new Error(`${found.length} tables are called ${table}`)
  return only.name
}

/** The other of the two hosts. */
export function otherThan(host: HostIndex): HostIndex {
  return host === 0 ? 1 : 0
}
