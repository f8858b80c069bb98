import type { ConfigReader } from '../../config/contract.ts'
import type { DriverConfig } from '../contract.ts'

/** Settings that the platform offers to tenants, which see nothing of them but the name. */
export interface StorageProfile {
  readonly id: string
  readonly name: string
  readonly driver: string
  /** With its secrets. */
  readonly config: DriverConfig
  readonly baseUrl: string
}

/** A profile as it is stored: its secrets stand apart, where they are sealed and masked. */
interface StoredProfile {
  readonly id: string
  readonly name: string
  readonly driver: string
  readonly config?: DriverConfig
  readonly base_url?: string
}

/** The platform's profiles, with their secrets. */
export async function readProfiles(config: ConfigReader): Promise<readonly StorageProfile[]> {
  const [profiles, secrets] = await Promise.all([
    config.get<readonly StoredProfile[]>('tenant_storage_profiles'),
    config.get<Readonly<Record<string, unknown>>>('tenant_storage_profile_secrets'),
  ])
  return joinSecrets(profiles, secrets)
}

/** Puts secrets, each under `<profile>.<setting>`, into the profiles they belong to. */
export function joinSecrets(
  profiles: readonly StoredProfile[],
  secrets: Readonly<Record<string, unknown>>,
): readonly StorageProfile[] {
  return profiles.map(({ id, name, driver, config = {}, base_url: baseUrl = '' }) => {
    const own = Object.entries(secrets).filter(([key]) => key.startsWith(`${id}.`))
    const joined = { ...config, ...Object.fromEntries(own.map(([key, value]) => [key.slice(id.length + 1), value])) }
    return { id, name, driver, config: joined, baseUrl }
  })
}
