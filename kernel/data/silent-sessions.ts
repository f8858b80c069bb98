import pg from 'pg'
import { codeOf } from './surroundings.ts'

/** How long a server that is well may take to let somebody in, and to answer. */
const askMs = 3000
/** What pg says when its time is over, while it connects and while it waits for an answer. */
const waited: ReadonlySet<string> = new Set(['timeout expired', 'Query read timeout'])
const unreachable: ReadonlySet<string> = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

/**
 * Asks the server, on a connection of its own, which of these sessions are not busy for us: they wait for what we sent, or for
 * us. `all` where nobody answers; none where somebody refuses or this host has no means to ask, which says nothing of them.
 */
export async function findForgotten(
  server: pg.ClientConfig,
  processIds: readonly number[],
): Promise<ReadonlySet<number> | 'all'> {
  const client = new pg.Client({ ...server, connectionTimeoutMillis: askMs, query_timeout: askMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // A session whose query has ended a second ago has answered before us.
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity
        where pid = any ($1) and state_change < clock_timestamp() - interval '1 second'
          and (state like 'idle%' or wait_event = 'ClientRead')`,
      [processIds],
    )
    return new Set(rows.map(({ pid }) => pid))
  } catch (error) {
    return isSilence(error) ? 'all' : new Set()
  } finally {
    void client.end()
  }
}

/** A connection to a server that is gone is reset by whoever took its place, and needs no asking. */
function isSilence(error: unknown): boolean {
  const words = error instanceof Error ? error.message : ''
  return waited.has(words) || unreachable.has(codeOf(error) ?? '')
}
