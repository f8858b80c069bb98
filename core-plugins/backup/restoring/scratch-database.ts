import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres, type Logger } from '#kernel'

/** A throw-away PostgreSQL of its own, gone with all that is in it when it is disposed. */
export async function startScratchDatabase(log: Logger): Promise<{ readonly url: string } & AsyncDisposable> {
  await using started = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-verify-'))
  started.defer(() => rm(dataDir, { recursive: true, force: true }))
  // As root the server runs as nobody, who must get through.
  await chmod(dataDir, 0o711)
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }
  const { url } = started.use(await startEmbeddedPostgres({ dataDir, log, settings }))
  const scratch = started.move()
  return { url, [Symbol.asyncDispose]: () => scratch.disposeAsync() }
}
