import { definePlugin } from '#kernel'
import { createSigningKey, signLicence, type Licence, type SigningKey } from '#marketplace'
import { pluginsLicenseChanged } from '../../../core-plugins/plugins/contract.ts'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const text = { default: 'A text' }

/** A tenant of the test with the plugin enabled. */
export interface LicensedTenant {
  readonly id: number
  readonly owner: Api
}

/** A platform on which the key of a publisher is known. */
export interface LicenceWorld extends AsyncDisposable {
  readonly platform: Platform
  readonly admin: Api
  /** The publisher's. */
  readonly key: SigningKey
  /** The id of the site. */
  readonly host: string
}

/** Starts a platform that knows the key `acme-lic` of `acme`. */
export async function startLicenceWorld(platform?: Platform): Promise<LicenceWorld> {
  const started = platform ?? (await startPlatform())
  const { admin } = started
  const key = createSigningKey('acme-lic')
  await trustKey(started, 'acme', key)
  const { host } = dataOf(await admin.get('/plugins/license-host')) as unknown as { host: string }
  return { platform: started, admin, key, host, [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() }
}

/** Makes a key known as a publisher's. */
export async function trustKey({ host }: Platform, publisher: string, { kid, publicKey }: SigningKey): Promise<void> {
  const row = { publisher, kid, public_key: publicKey, level: 'verified' }
  await host.kernel.database.knex('plugin_publishers').insert(row)
}

/** A package that asks for a licence, with routes and tools of every kind; `more` stands over its manifest. */
export function packLicensed(name: string, more: object = {}): Promise<Buffer> {
  const route = (method: string, handler: string) => ({ method, path: `/${handler}`, handler })
  return packSmall(
    name,
    {
      capabilities: ['ai:tool'],
      reasons: { 'ai:tool': 'Shows it.' },
      licensing: { type: 'commercial', trialDays: 14, graceDays: 7, features: ['export', 'sync'], keys: ['acme-lic'] },
      tenant_routes: [route('GET', 'facts'), route('POST', 'save')],
      admin_routes: [route('GET', 'facts'), route('POST', 'save')],
      provides: {
        aiTools: [
          { name: 'look', description: text, input: { type: 'object' }, handler: 'look' },
          { name: 'change', description: text, input: { type: 'object' }, handler: 'change', effect: 'write' },
        ],
      },
      ...more,
    },
    `{
      handlers: { facts: (_, ctx) => ctx.license, save: () => 'saved' },
      aiTools: { look: () => ({ content: 'seen' }), change: () => ({ content: 'changed' }) },
    }`,
  )
}

/** Installs a plugin that asks for a licence, for these tenants. */
export async function installLicensed(
  { admin }: Pick<LicenceWorld, 'admin'>,
  name: string,
  tenants: readonly LicensedTenant[],
  more: object = {},
): Promise<Body> {
  const plugin = await installAndEnable(admin, await packLicensed(name, more))
  if (tenants.length > 0)
    dataOf(await admin.post(`/plugins/${name}/tenants`, { tenant_ids: tenants.map(({ id }) => id) }))
  for (const { owner } of tenants) dataOf(await owner.post(`/tenant/plugins/${name}/enable`))
  return plugin
}

/** Makes tenants with these codes. */
export async function createTenants(admin: Api, codes: readonly string[]): Promise<readonly LicensedTenant[]> {
  const tenants: LicensedTenant[] = []
  for (const code of codes) tenants.push(await createTenant(admin, code))
  return tenants
}

/** Seconds since 1970, so many from now. */
export function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds
}

/** A licence of `acme.paid` for every tenant of every site, an hour long, with what the test changes of it. */
export function licenceOf(more: Partial<Licence> = {}): Licence {
  return {
    ...{ v: 1, typ: 'lic', jti: crypto.randomUUID(), kid: 'acme-lic', plugin: 'acme.paid', pub: 'acme', host: '*' },
    ...{ features: ['export'], nbf: secondsFromNow(-60), exp: secondsFromNow(3600), grace: 0 },
    ...(more.seats === undefined && { tenants: '*' as const }),
    ...more,
  }
}

/** Signs a licence with the publisher's key and activates it. */
export function activate({ admin, key }: LicenceWorld, licence: Licence, tenantIds?: readonly number[]) {
  const token = signLicence(licence, key)
  const body = { token, ...(tenantIds && { tenant_ids: tenantIds }) }
  return admin.post(`/plugins/${licence.plugin}/activate-license`, body)
}

/** How a plugin is licensed for a tenant, as administrators see it. */
export async function stateFor(admin: Api, plugin: string, tenantId: number): Promise<unknown> {
  const { tenants } = dataOf(await admin.get(`/plugins/${plugin}/license`))
  return (tenants as unknown as Body[]).find((one) => Number(one['tenant_id']) === tenantId)?.['state']
}

/** Moves a plugin's licences in time, as if they had begun so many seconds earlier, and lets the hosts learn of it. */
export async function age({ platform, admin }: LicenceWorld, plugin: string, seconds: number, tenant: LicensedTenant) {
  const { knex } = platform.host.kernel.database
  const { id } = dataOf(await admin.get(`/plugins/${plugin}`)) as unknown as { id: number }
  const earlier = (column: string) => knex.raw('?? - make_interval(secs => ?)', [column, seconds])
  const moved = {
    starts_at: earlier('starts_at'),
    expires_at: earlier('expires_at'),
    grace_until: earlier('grace_until'),
  }
  await knex('plugin_licences').where({ plugin_id: id }).update(moved)
  dataOf(await admin.post(`/plugins/${plugin}/tenants`, { tenant_ids: [tenant.id] }))
}

/** Hears how licences change, as `plugin tenant state`, until the platform ends. */
export async function hearChanges({ platform }: LicenceWorld): Promise<readonly string[]> {
  const heard: string[] = []
  const listener = definePlugin({
    ...{ name: 'listener', version: '1.0.0', title: text, description: text },
    setup(scope) {
      scope.on(
        pluginsLicenseChanged,
        ({ plugin, tenantId, state }) => void heard.push(`${plugin} ${tenantId} ${state}`),
      )
    },
  })
  await platform.host.kernel.enable(listener)
  return heard
}
