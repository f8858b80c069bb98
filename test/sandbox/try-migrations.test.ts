import { rejects } from 'node:assert/strict'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tryMigrations } from '#sandbox'

describe('migrations that are tried', () => {
  it('have as much time for all of them as an installation, and say which did not end', async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'stoa-tried-'))
    try {
      await chmod(scratch, 0o711)
      const steps = (line: number) => ({ line, sql: 'select pg_sleep(0.4)' })
      const migrations = [{ id: '0001_slow', up: [1, 2, 3, 4, 5].map(steps), down: undefined }]
      const manifest = { name: 'acme.slow', db: { tables: ['slow'] } }
      await rejects(tryMigrations(join(scratch, 'database'), { manifest, migrations }, 1_000), {
        code: 4009,
        message: /0001_slow\.up\.sql line 3: PostgreSQL says: canceling statement due to statement timeout/,
      })
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  })
})
