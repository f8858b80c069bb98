import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface Manifest {
  version: string
  capabilities: string[]
  optionalCapabilities?: string[]
  reasons: Record<string, string>
  http?: object
  upgrade?: object
}

/** Makes the folder of a plugin that `stoa create` made its next release: 0.2.0 wants more and adds a column, 0.3.0 takes it away for good. */
export async function writeRelease(folder: string, version: string): Promise<void> {
  const file = join(folder, 'manifest.json')
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest
  manifest.version = version
  if (version === '0.2.0') {
    manifest.capabilities.push('http')
    manifest.optionalCapabilities = ['notify']
    Object.assign(manifest.reasons, { http: 'Fetches rates.', notify: 'Tells of new notes.' })
    const host = { host: 'rates.example.com', ports: [443], methods: ['GET'], reason: 'Rates.' }
    manifest.http = { hosts: [host] }
    await writeMigration('0002_stars.up.sql', 'alter table notes add column stars integer not null default 0;')
    await writeMigration('0002_stars.down.sql', 'alter table notes drop column stars;')
  }
  if (version === '0.3.0') {
    manifest.upgrade = { from: '>=0.1.0', breakingSchema: true }
    await writeMigration('0003_no_stars.up.sql', 'alter table notes drop column stars;')
  }
  await writeFile(file, JSON.stringify(manifest))

  async function writeMigration(name: string, sql: string): Promise<void> {
    await writeFile(join(folder, 'migrations', name), `${sql}\n`)
  }
}
