import { definePlugin, type ConfigGroupDeclaration, type Plugin } from '#kernel'
import access from '../../core-plugins/access/index.ts'
import captcha from '../../core-plugins/captcha/index.ts'
import config from '../../core-plugins/config/index.ts'
import jobs from '../../core-plugins/jobs/index.ts'
import storage from '../../core-plugins/storage/index.ts'
import type { Answer, Body } from './api.ts'
import type { TestKernel } from './kernel.ts'
import { plainIdentity, platformToken, tenantToken } from './plain-identity.ts'

/** Configuration with what it needs. */
export const plugins = [config, access, jobs, captcha, storage, plainIdentity]
/** A platform user who may do everything with configuration. */
export const admin = platformToken('platform_config:*')
/** A user of tenant 5 who may do everything with configuration. */
export const owner = tenantToken(5, 'tenant_config:*')

/** A plugin that brings groups and does nothing. */
function groupsPlugin(name: string, groups: readonly ConfigGroupDeclaration[]): Plugin {
  const text = { default: name }
  return definePlugin({
    name,
    version: '1.0.0',
    title: text,
    description: text,
    config: groups,
    setup: () => undefined,
  })
}

/** A plugin with a group of its own. */
export const secretGroup = groupsPlugin('mailer', [
  {
    code: 'plugin.mailer',
    name: { default: 'Mailer', 'zh-CN': '邮件' },
    sort: 900,
    scope: 'ALL_TENANTS',
    items: [
      { key: 'plg_1_password', type: 'PASSWORD', name: { default: 'Password' } },
      { key: 'plg_1_port', type: 'NUMBER', name: { default: 'Port' }, default: 25, rules: { min: 1, max: 65_535 } },
    ],
  },
])

/** The items of an answer by key. */
export function itemsOf({ body }: Answer): Readonly<Record<string, Body>> {
  const items = body['data']?.['items'] as unknown as readonly Body[]
  return Object.fromEntries(items.map((item) => [item['key'] as unknown as string, item]))
}

/** Status, code and the broken rules of an answer. */
export function errorsOf({ status, body }: Answer): unknown {
  const errors = (body['errors'] ?? []) as unknown as readonly { field: string; rule: string }[]
  return [status, body['code'], errors.map(({ field, rule }) => `${field} ${rule}`)]
}

/** Every stored value. */
export async function dump(host: TestKernel): Promise<unknown> {
  const values: unknown = await host.kernel.database
    .knex('system_config_values')
    .select('*')
    .orderBy('id')
    .queryContext({ tenant: 'all' })
  return values
}

/** What must still happen after values changed, by effect. */
export async function followsIn({ kernel }: TestKernel): Promise<readonly string[]> {
  const rows: unknown = await kernel.database
    .knex('jobs')
    .where({ kind: 'config.follow' })
    .orderBy('id')
    .queryContext({ tenant: 'all' })
  return (rows as readonly { payload: { effect: string } }[]).map(({ payload }) => payload.effect)
}
