import { assemblePackage } from '../pack.ts'
import { PlatformClient } from './platform-client.ts'

/** A plugin that runs on the platform it is developed on. */
export interface DevPlugin {
  readonly name: string
  /** The scratch tenant, whose owner can be signed in. */
  readonly tenant: DevTenant | undefined
}

interface DevTenant {
  readonly code: string
  readonly account: string
  readonly password: string
  readonly signIn: () => Promise<PlatformClient>
}

/** How long a replacement took, and whether the tables are new. */
interface Reload {
  readonly milliseconds: number
  readonly hasNewTables: boolean
}

const tenant = 'dev'

/** Installs a plugin with everything it asks for, or replaces the one of its name, and enables it for a tenant. */
export async function installForDevelopment(
  admin: PlatformClient,
  directory: string,
  password: string | undefined,
): Promise<DevPlugin> {
  const { manifest, zip } = await assemblePackage(directory)
  const { name, scope } = manifest
  const path = `/admin/plugins/${name}`
  const known = await admin.call('GET', path).catch(() => undefined)
  if (known) await admin.send('/admin/plugins/replace', new Uint8Array(zip))
  else await install(admin, path, new Uint8Array(zip))
  await admin.call('POST', `${path}/enable`)
  if (password === undefined) return { name, tenant: undefined }
  const owner = { email: `owner@${tenant}.test`, password }
  const { id } = await admin.call('POST', '/admin/tenants', { code: tenant, name: 'Development', owner })
  const credentials = { tenant_code: tenant, account: owner.email, password }
  const signIn = (): Promise<PlatformClient> => new PlatformClient(admin.url).signIn('/auth/login/json', credentials)
  if (scope === 'tenant') {
    await admin.call('POST', `${path}/tenants`, { tenant_ids: [id] })
    await (await signIn()).call('POST', `/tenant/plugins/${name}/enable`)
  }
  return { name, tenant: { code: tenant, account: owner.email, password, signIn } }
}

/** Replaces what runs by what the folder has now, and tells when that was saved. */
export async function reload(admin: PlatformClient, directory: string, savedAt: number): Promise<Reload> {
  const started = performance.now()
  const { zip } = await assemblePackage(directory)
  const { tables_remade: hasNewTables } = await admin.send(
    `/admin/plugins/replace?saved_at=${savedAt}`,
    new Uint8Array(zip),
  )
  return { milliseconds: Math.round(performance.now() - started), hasNewTables: hasNewTables === true }
}

async function install(admin: PlatformClient, path: string, zip: Uint8Array<ArrayBuffer>): Promise<void> {
  const { consent } = await admin.send('/admin/plugins/upload', zip)
  if (typeof consent !== 'object' || consent === null) return
  const { release_hash, diff_hash } = consent as Readonly<Record<string, unknown>>
  await admin.call('POST', `${path}/consent`, { accept: true, release_hash, diff_hash })
}
