import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { tenantsInBackup } from '../../../core-plugins/plugins/backups/tenants-in-backup.ts'

type Parts = Parameters<typeof tenantsInBackup>

describe('whose a backup is', () => {
  it('is told by its rows, its objects and what was chosen: each tenant once, and never the platform', async () => {
    const files: Readonly<Record<string, string>> = {
      'tables/notes.ndjson': '{"id":1,"tenant_id":3}\n{"id":2,"tenant_id":0}\n{"id":3,"tenant_id":3}\n',
      'tables/empty.ndjson': '',
      'settings.json': '[{"tenantId":0},{"tenantId":5}]',
      'preferences.json': '[{"tenantId":6,"userId":1}]',
      'assignments.json': '[{"tenantId":7}]',
    }
    const chunk = ({ file, position }: { readonly file: string; readonly position: number }) => ({
      first: () => Promise.resolve(position === 0 ? { bytes: gzipSync(files[file] ?? '') } : undefined),
    })
    const objects = async function* () {
      for (const tenantId of [9, 0, 3]) yield await Promise.resolve({ tenantId })
    }
    const parts = { db: () => ({ where: chunk }), storage: { snapshots: { list: objects } } }
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
    const named = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, { sha256: sha256(text) }]))
    const backup = { id: 1, plugin: 'acme.crm', name: 'b', files: named }
    assert.deepEqual(
      await tenantsInBackup(parts as unknown as Parts[0], backup as unknown as Parts[1]),
      [3, 5, 6, 7, 9],
    )
  })
})
