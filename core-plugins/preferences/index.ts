import path from 'node:path'
import { definePlugin } from '#kernel'
import { audit } from '../access/contract.ts'
import { tenantsDeleted } from '../tenants/contract.ts'
import { usersChanged } from '../users/contract.ts'
import { PreferenceTable } from './catalogue.ts'
import { preferenceCatalogue, preferences } from './contract.ts'
import { appearance } from './declared/appearance.ts'
import { chat } from './declared/chat.ts'
import { region } from './declared/region.ts'
import { GlobalPreferences } from './global-preferences.ts'
import { globalRoutes } from './global-routes.ts'
import { messages } from './messages.ts'
import { permissions } from './permissions.ts'
import { PersonalPreferences } from './personal-preferences.ts'
import { personalRoutes } from './routes.ts'
import { deleteTenant } from './store.ts'

export default definePlugin({
  name: 'preferences',
  version: '1.0.0',
  title: { default: 'Preferences', 'zh-CN': '偏好设置' },
  description: { default: 'What users prefer, and what everybody begins with', 'zh-CN': '用户偏好及其默认值' },
  permissions,
  messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs: { audit },
  provides: [preferenceCatalogue, preferences],
  setup(scope, { audit }) {
    const table = new PreferenceTable()
    scope.use(table.register([...appearance, ...region, ...chat]))
    const personal = new PersonalPreferences(scope.db, table)
    scope.provide(preferenceCatalogue, table)
    scope.provide(preferences, personal)
    scope.route(...personalRoutes(personal), ...globalRoutes(new GlobalPreferences({ scope, table, audit })))
    scope.on(usersChanged, (user) => (user.change === 'deleted' ? personal.forget(user) : undefined))
    scope.on(tenantsDeleted, ({ tenantId }) => deleteTenant(scope.db, tenantId))
  },
})
