import pg from 'pg'

/** How long a server that is well may take to let somebody in, and to answer. */
const askMs = 3000

/**
 * Asks the server, on a connection of its own, which of these sessions are not busy for us: they wait for what we sent, or for
 * us. `all` where it cannot be reached; none where it lives and says nothing of them.
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
    // Whoever refuses lives: it has no room, or is on its way down or up.
    return error instanceof Error && 'severity' in error ? new Set() : 'all'
  } finally {
    void client.end()
  }
}
