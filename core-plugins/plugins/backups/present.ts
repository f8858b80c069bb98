import type { BackupRow } from './models.ts'

/** A backup as administrators see it; sizes in bytes. */
export function presentBackup(row: BackupRow) {
  return {
    name: row.name,
    plugin: row.plugin,
    kind: row.kind,
    version: row.version,
    release_hash: row.releaseHash,
    size: Number(row.size),
    rows: Number(row.rows),
    tables: Object.fromEntries(
      Object.entries(row.files).flatMap(([path, { rows }]) => (rows === undefined ? [] : [[tableOf(path), rows]])),
    ),
    objects: row.objects,
    object_bytes: Number(row.objectBytes),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
  }
}

/** `tables/entries.ndjson` → `entries`. */
function tableOf(path: string): string {
  return path.slice(path.indexOf('/') + 1, path.lastIndexOf('.'))
}
