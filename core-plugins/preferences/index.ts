import path from 'node:path'
import { definePlugin, tenantsDeleted } from '#kernel'
import { audit } from '../access/contract.ts'
import { usersChanged } from '../users/contract.ts'
import { PreferenceTable } from './catalogue.ts'
import { preferenceCatalogue, preferences } from './contract.ts'
import { appearance } from './declared/appearance.ts'
import { chat } from './declared/chat.ts'
import { region } from './declared/region.ts'
import { GlobalPreferences } from './global-preferences.ts'
import { globalRoutes } from './global-routes.ts'
import { permissions } from './permissions.ts'
import { PersonalPreferences } from './personal-preferences.ts'
import { personalRoutes } from './routes.ts'
import { deleteTenant } from './store.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'preferences',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  messages: texts.messages,
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
