import { call } from '../../../api/client.ts'
import type { PluginRow } from '../../../plugins/wire.ts'
import type { PickOption } from '../../../ui/dialog/pick-option.ts'
import type { Page } from '../../../ui/list/use-list.ts'

/** Where plugins are read. */
export const pluginsPlace = '/admin/plugins'

/** Plugins that can be given to tenants, by what they are called. */
export async function findPluginsToGive(q: string, signal: AbortSignal): Promise<readonly PickOption[]> {
  const query = { q, scope: 'tenant', status: 'enabled', sort: 'name', page_size: 50 }
  const { items } = await call<Page<PluginRow>>('GET', pluginsPlace, { query, signal })
  return items.map(({ name, title }) => ({ value: name, label: title, hint: name }))
}

/** One after the other; where one fails those before it are given, and giving them again changes nothing. */
export async function givePlugins(names: readonly string[], tenants: readonly number[]): Promise<void> {
  for (const plugin of names) await call('POST', `${pluginsPlace}/${plugin}/tenants`, { body: { tenant_ids: tenants } })
}
