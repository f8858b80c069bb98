import { corePlugins } from '../../../core-plugins/index.ts'
import { dataOf } from '../../support/platform.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'

/** Starts every core plugin, with an administrator who is signed in. */
export function startWhole(): Promise<TestPlatform> {
  // Without whoever runs models, and what stands on it: a test that wants one registers its own.
  const without = ['first_run', 'ai', 'agents', 'knowledge', 'chat', 'memory', 'mcp']
  return startTestPlatform({ plugins: corePlugins.filter(({ name }) => !without.includes(name)) })
}

/** Assigns a plugin to a tenant, which enables it, refusing some of its optional capabilities. */
export async function useIn(
  { admin }: TestPlatform,
  { id, owner }: TestTenant,
  plugin: string,
  denied: readonly string[] = [],
): Promise<void> {
  dataOf(await admin.post(`/admin/plugins/${plugin}/tenants`, { tenant_ids: [id] }))
  dataOf(await owner.post(`/tenant/plugins/${plugin}/enable`, { capabilities_denied: denied }))
}
