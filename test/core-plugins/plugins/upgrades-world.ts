import assert from 'node:assert/strict'
import type { Answer, Api, Body } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'

/** A route of administrators that says which release answers. */
export const versionRoute = { method: 'GET', path: '/version', handler: 'version' }

/** Packs a release of a plugin that says its version at `/version`. */
export function packRelease(
  name: string,
  version: string,
  more: object = {},
  { members = '', handlers = '', files = {} }: ReleaseSources = {},
): Promise<Buffer> {
  const manifest = { version, admin_routes: [versionRoute], ...more }
  const definition = `{ handlers: { version: () => ({ version: '${version}' }), ${handlers} }, ${members} }`
  return packSmall(name, manifest, definition, files)
}

/** What a release has beside its version. */
export interface ReleaseSources {
  /** Of the default export. */
  readonly members?: string
  readonly handlers?: string
  readonly files?: Readonly<Record<string, string>>
}

/** Sends a package to upgrade a plugin to. */
export function upgrade(admin: Api, name: string, content: Buffer, query = ''): Promise<Answer> {
  const file = { field: 'file', name: 'a.plugin.zip', content }
  return admin.call('POST', `/admin/plugins/${name}/upgrade${query}`, { file })
}

/** Installs and enables version 1.0.0, and answers the path of its routes. */
export async function installFirst(
  admin: Api,
  name: string,
  more: object = {},
  sources: ReleaseSources = {},
): Promise<string> {
  await installAndEnable(admin, await packRelease(name, '1.0.0', more, sources))
  return `/admin/plugins/${name}/api`
}

/** The version that answers. */
export async function versionOf(admin: Api, name: string): Promise<string> {
  const { version } = dataOf(await admin.get(`/admin/plugins/${name}/api/version`)) as unknown as { version: string }
  return version
}

/** The last operation on a plugin. */
export async function lastOperation(admin: Api, name: string): Promise<Body> {
  const { items } = dataOf(await admin.get(`/admin/plugins/${name}/operations?limit=1`)) as unknown as { items: Body[] }
  return items[0] as Body
}

/** Waits for what was asked of a plugin to be done; one that takes more than 30 s goes on after its answer. */
export async function done(admin: Api, name: string, answer: Answer): Promise<void> {
  if (answer.status !== 202) return void dataOf(answer)
  await until(async () => (await lastOperation(admin, name))['finished_at'] !== null, 120_000)
  assert.equal((await lastOperation(admin, name))['state'], 'succeeded')
}
