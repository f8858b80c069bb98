import { AppError } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import type { StorageChoice, StorageChoices } from '../volumes/storage-choice.ts'

/** Where new files go, as far as it is told to others. */
interface EffectiveStorage extends Pick<StorageChoice, 'source' | 'profileId' | 'baseUrl'> {
  /** Null where the profile that was chosen is gone and nobody knows which driver it had. */
  readonly driver: string | null
  /** Why nothing can be stored there at the moment. */
  readonly fault?: AppError
}

/** Where a tenant's new files go, or with tenant 0 the platform's: also while its driver or profile is not there. */
export async function readEffectiveStorage(
  choices: StorageChoices,
  config: ConfigReader,
  tenantId: number,
): Promise<EffectiveStorage> {
  try {
    const { source, profileId, driver, baseUrl } = await choices.of(tenantId)
    return { source, profileId, driver, baseUrl }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const get = (key: string): Promise<string> => config.get<string>(key, tenantId)
    const [own, profile] = tenantId > 0 ? await Promise.all([get('storage_driver'), get('storage_profile')]) : ['', '']
    const source = profile === '' ? (own === '' ? 'platform' : 'tenant') : 'profile'
    const driver = source === 'platform' ? await config.get<string>('storage_driver') : own
    return { source, profileId: profile || null, driver: driver || null, baseUrl: '', fault: error }
  }
}
