import type { Knex } from 'knex'
import type { ExportedValue } from '../../config/contract.ts'
import type { ExportedPreference } from '../../preferences/contract.ts'
import { AssignmentRow, type PluginRow } from '../shared/models.ts'
import type { BackupNeeds } from './needs.ts'
import { readBackupJson } from './backup-files.ts'
import type { BackupRow } from './models.ts'

type KeptAssignment = Pick<
  AssignmentRow,
  'tenantId' | 'assigned' | 'enabledByTenant' | 'capabilitiesDenied' | 'licenseState'
>

/** What tenants and users had chosen about a plugin, of those that are still there. */
export interface Choices {
  readonly settings: readonly ExportedValue[]
  readonly preferences: readonly ExportedPreference[]
  readonly assignments: readonly KeptAssignment[]
}

type Sources = Pick<BackupNeeds, 'db' | 'config' | 'preferences' | 'tenants' | 'users'>

/** Reads what a backup has of tenants' and users' choices; tenants and users that are gone meanwhile are left out. */
export async function readChoices({ db, tenants, users }: Sources, backup: BackupRow): Promise<Choices> {
  const read = async (file: string) => (backup.files[file] ? await readBackupJson(db, backup, file) : [])
  const known = new Set([0, ...(await tenants.list()).map(({ id }) => id)])
  const isKnown = ({ tenantId }: { readonly tenantId: number }) => known.has(tenantId)
  const preferences = ((await read('preferences.json')) as ExportedPreference[]).filter(isKnown)
  const owners = new Map(preferences.map(({ tenantId, userId }) => [`${tenantId} ${userId}`, { tenantId, userId }]))
  const gone = new Set<string>()
  for (const [owner, { tenantId, userId }] of owners) {
    // User 0 is everybody.
    if (userId !== 0 && !(await users.find(tenantId, userId))) gone.add(owner)
  }
  return {
    settings: ((await read('settings.json')) as ExportedValue[]).filter(isKnown),
    preferences: preferences.filter(({ tenantId, userId }) => !gone.has(`${tenantId} ${userId}`)),
    assignments: ((await read('assignments.json')) as KeptAssignment[]).filter(isKnown),
  }
}

/** Makes settings, preferences and assignments of a plugin what they were; answers what tells everybody once the transaction holds. */
export async function restoreChoices(
  { config, preferences }: Sources,
  trx: Knex.Transaction,
  { id: pluginId, name }: Pick<PluginRow, 'id' | 'name'>,
  choices: Choices,
): Promise<() => Promise<void>> {
  const groups = [`plugin.${name}`, `plugin.${name}.platform`]
  const tellings: (() => Promise<void>)[] = []
  for (const group of groups) {
    // Keys of the two groups differ, and each takes its own.
    tellings.push(await config.importGroup(group, choices.settings, trx))
  }
  await preferences.importPlugin(name, choices.preferences, trx)
  await AssignmentRow.acrossTenants(trx).where({ plugin_id: pluginId }).delete()
  const rows = choices.assignments.map(({ tenantId, assigned, enabledByTenant, capabilitiesDenied, licenseState }) => ({
    ...{ pluginId, tenantId, assigned, enabledByTenant, capabilitiesDenied, licenseState },
  }))
  if (rows.length > 0) await AssignmentRow.acrossTenants(trx).insert(rows)
  return async () => {
    for (const tell of tellings) await tell()
  }
}
