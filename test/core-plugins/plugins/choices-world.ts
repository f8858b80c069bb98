import { definePlugin } from '#kernel'
import {
  pluginsAppearanceChanged,
  pluginsCapabilitiesChanged,
  pluginsRepaired,
} from '../../../core-plugins/plugins/contract.ts'
import type { Answer, Api } from '../../support/api.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { packChosen } from './choices-plugin.ts'

/** A platform whose tenant uses `acme.chosen`. */
export interface ChoicesWorld extends AsyncDisposable {
  readonly platform: Platform
  readonly admin: Api
  readonly owner: Api
  /** Somebody of the tenant who may not use it. */
  readonly reader: Api
  /** The events about what was chosen, a line each. */
  readonly heard: readonly string[]
}

/** Starts it. */
export async function startChoicesWorld(): Promise<ChoicesWorld> {
  await using started = new AsyncDisposableStack()
  const platform = started.use(await startPlatform())
  const { admin } = platform
  const { owner, id } = await createTenant(admin, 'one')
  await installAndEnable(admin, await packChosen())
  dataOf(await admin.post('/admin/plugins/acme.chosen/tenants', { tenant_ids: [id] }))
  dataOf(await owner.post('/tenant/plugins/acme.chosen/enable'))
  const reader = await createUser(owner, 'one', ['tenant_user:list'])
  const heard: string[] = []
  await platform.host.kernel.enable(listenerTo(heard))
  const stack = started.move()
  return { platform, admin, owner, reader, heard, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

function listenerTo(heard: string[]) {
  const text = { default: 'Listens' }
  return definePlugin({
    ...{ name: 'listener', version: '1.0.0', title: text, description: text },
    setup(scope) {
      scope.on(pluginsAppearanceChanged, ({ name }) => void heard.push(`appearance ${name}`))
      scope.on(
        pluginsCapabilitiesChanged,
        ({ name, withheld }) => void heard.push(`withheld ${withheld.length} ${name}`),
      )
      scope.on(pluginsRepaired, ({ name, whole }) => void heard.push(`repaired ${name} ${whole}`))
    },
  })
}

/** Its entries in somebody's menu. */
export async function menuOf(api: Api): Promise<Record<string, unknown>[]> {
  const { items } = dataOf(await api.get('/permissions/menus')) as unknown as { items: Record<string, unknown>[] }
  return items
    .filter((menu) => menu['plugin'] === 'acme.chosen')
    .map(({ title, sort, meta }) => ({ title, sort, hidden: (meta as { hidden: boolean }).hidden }))
}

/** Sends another picture for it. */
export function sendIcon(admin: Api, content: Buffer, field = 'file'): Promise<Answer> {
  return admin.call('POST', '/admin/plugins/acme.chosen/icon', { file: { field, name: 'icon.png', content } })
}

/** What was done of late, by the log. */
export async function actionsOf(admin: Api): Promise<readonly string[]> {
  const { items } = dataOf(await admin.get('/admin/audit-logs?limit=200')) as unknown as {
    items: { action: string }[]
  }
  return items.map(({ action }) => action)
}
