import pg from 'pg'
import { sayError } from '#kernel'
import { BackupError } from '../backup-error.ts'
import { texts } from '../texts/texts.ts'

/** What makes the text of the same rows the same on every server. */
const settings = [
  `set client_encoding = 'UTF8'`,
  `set datestyle = 'ISO, YMD'`,
  `set intervalstyle = 'postgres'`,
  `set timezone = 'UTC'`,
  `set extra_float_digits = 3`,
  `set bytea_output = 'hex'`,
  // A sequential scan begins at the first row, so that the order is that of the table.
  `set synchronize_seqscans = off`,
  // A dump takes as long as it takes; a connection that is gone shows by TCP keep-alive.
  `set statement_timeout = 0`,
  `set idle_in_transaction_session_timeout = 0`,
  `set lock_timeout = '30s'`,
  `select set_config('stoa.tenant_id', 'all', false)`,
].join(';\n')

/** A connection of its own, past the pools and their deadlines, that sees the rows of every tenant. */
export interface Session extends AsyncDisposable {
  readonly client: pg.Client
  /** Where the platform's tables stand. */
  readonly schema: string
  readonly serverVersion: string
}

/** Opens a session; a BackupError says that the database cannot be reached. */
export async function openSession(url: string, applicationName: string): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // Whoever waits for an answer hears of a broken connection; without a listener it would end the process.
  client.on('error', () => undefined)
  const close = (): Promise<void> => client.end().catch(() => undefined)
  try {
    await client.connect()
    await client.query(settings)
    const { rows } = await client.query<{ schema: string | null; version: string }>(
      `select current_schema() as schema, current_setting('server_version') as version`,
    )
    const { schema, version } = rows[0]!
    if (schema === null) throw new BackupError(texts.keep('notice.backup_no_schema'))
    return { client, schema, serverVersion: version, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    if (error instanceof BackupError) throw error
    throw new BackupError(texts.keep('notice.backup_database_unreachable', { why: sayError(error) }), { cause: error })
  }
}

/** A name as SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
