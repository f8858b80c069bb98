import pg from 'pg'
import type { OwnTime } from './own-time.ts'
import type { PgConnection } from './session.ts'

/** How long a server that is well may take to let somebody in. */
const connectMs = 4000
/** What is said of a server that accepts and then says nothing; pg says the same. */
export const silence = 'timeout expired'

/** Connects, in a time of this process' own; what breaks later is noted on the connection, for the pool to see. */
export async function openConnection(settings: pg.ClientConfig, ownTime: OwnTime): Promise<PgConnection> {
  const client = new pg.Client(settings)
  const connection = client as unknown as PgConnection
  client.on('error', (error) => (connection.__knex__disposed = error))
  client.on('end', () => (connection.__knex__disposed ??= new Error('The connection has ended')))
  const giveUp = () => void connection.connection.stream.destroy(new Error(silence))
  await ownTime.limit(client.connect(), connectMs, giveUp)
  return connection
}
