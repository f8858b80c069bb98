import { ValidationFailedError, type FieldError } from '#kernel'
import type { TenantConfigSubmission, TenantConfigWorkflow, WriteResult } from '../../config/contract.ts'
import { testConnection } from '../connection/connection-test.ts'
import type { ConfigOwner, DriverConfig } from '../contract.ts'
import type { DriverTable } from '../drivers/driver-table.ts'
import { textSetting } from '../drivers/text-setting.ts'
import { StorageModeError, StorageTestFailedError } from '../errors.ts'
import type { StorageChoices } from '../volumes/storage-choice.ts'
import type { StorageProfile } from '../volumes/profiles.ts'
import type { StorageSettings } from './storage-settings.ts'
import type { TenantCaller, TenantStorage } from './tenant-storage.ts'

/** What a tenant asks for: a profile, a driver with settings of its own, or with null the platform's storage. */
interface WantedStorage {
  readonly profile_id?: string | null | undefined
  readonly driver?: string | null | undefined
  readonly config?: DriverConfig | undefined
  readonly base_url?: string | undefined
  readonly skip_test?: boolean | undefined
}

/** What choosing stands on. */
export interface ChoosingParts {
  readonly drivers: DriverTable
  readonly choices: StorageChoices
  readonly settings: StorageSettings
  readonly storage: TenantStorage
  readonly workflow: TenantConfigWorkflow
}

type Change = Pick<TenantConfigSubmission, 'values'> & { readonly reset: readonly string[] }

const keys = ['storage_profile', 'storage_driver', 'storage_config', 'storage_base_url'] as const

/** Chooses where a tenant's new files go; what is there stays where it is. */
export async function chooseStorage(
  parts: ChoosingParts,
  wanted: WantedStorage,
  caller: TenantCaller,
): Promise<WriteResult> {
  const { values, reset } = await changeFor(parts, wanted, caller)
  const { principal: actor, tenant, state } = caller
  const options = { actor, reset, includesReadonly: true, locale: state.locale, traceId: state.traceId }
  return parts.workflow.submit({ groupCode: 'tenant_storage', tenantId: tenant.id, values, options })
}

async function changeFor(parts: ChoosingParts, wanted: WantedStorage, caller: TenantCaller): Promise<Change> {
  const { profile_id: profileId, driver } = wanted
  if (typeof profileId === 'string' && typeof driver === 'string')
    throw invalid('driver', 'exclusive', 'stands beside a profile')
  if (typeof profileId === 'string') return changeToProfile(parts, profileId, wanted, caller)
  if (typeof driver === 'string') return changeToOwn(parts, driver, wanted, caller)
  if (driver === null || profileId === null) return { values: {}, reset: keys }
  throw invalid('driver', 'required', 'is required, or profile_id')
}

/** Driver and base URL are kept beside the profile for the public configuration; the profile's settings stay with the platform. */
async function changeToProfile(
  { drivers, choices, storage }: ChoosingParts,
  id: string,
  { skip_test: skipsTest, config, base_url: baseUrl }: WantedStorage,
  caller: TenantCaller,
): Promise<Change> {
  if ((await choices.policy()).mode !== 'allow_list') throw new StorageModeError()
  if (config !== undefined || baseUrl !== undefined) throw new StorageModeError()
  const profile = (await storage.profiles()).find((candidate) => candidate.id === id)
  if (!profile) throw invalid('profile_id', 'options', 'is no profile that may be chosen')
  const complete = drivers.schemaOf(profile.driver, 'platform').complete(profile.config)
  if (!skipsTest) await requireConnection(drivers, { ...profile, config: complete }, 'platform', caller)
  const shown = profile.baseUrl || textSetting(complete, 'base_url')
  const values = { storage_profile: id, storage_driver: profile.driver }
  return shown === ''
    ? { values, reset: ['storage_config', 'storage_base_url'] }
    : { values: { ...values, storage_base_url: shown }, reset: ['storage_config'] }
}

async function changeToOwn(
  { drivers, choices, settings }: ChoosingParts,
  driver: string,
  { config: given = {}, base_url: baseUrl = '', skip_test: skipsTest }: WantedStorage,
  caller: TenantCaller,
): Promise<Change> {
  if ((await choices.policy()).mode !== 'self_managed') throw new StorageModeError()
  const { tenant, state } = caller
  const { config, complete } = await settings.check({ driver, config: given, tenantId: tenant.id }, state.locale)
  if (!skipsTest) await requireConnection(drivers, { driver, config: complete }, 'tenant', caller)
  const shown = baseUrl || textSetting(complete, 'base_url')
  const values = { storage_driver: driver, storage_config: config }
  return shown === ''
    ? { values, reset: ['storage_profile', 'storage_base_url'] }
    : { values: { ...values, storage_base_url: shown }, reset: ['storage_profile'] }
}

async function requireConnection(
  drivers: DriverTable,
  { driver, config }: Pick<StorageProfile, 'driver' | 'config'>,
  owner: ConfigOwner,
  { state, signal }: TenantCaller,
): Promise<void> {
  const result = await testConnection({ driver: drivers.get(driver), config, owner, locale: state.locale, signal })
  if (result.ok) return
  const step = result.steps.find(({ ok }) => !ok)?.name ?? 'connect'
  throw new StorageTestFailedError({ step }, { details: { steps: result.steps } })
}

function invalid(field: string, rule: string, message: string): Error {
  const error: FieldError = { field, rule, message }
  return new ValidationFailedError({ errors: [error] })
}
