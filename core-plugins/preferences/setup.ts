import { type Needed, type Scope, tenantsDeleted } from '#kernel'
import { usersDeleted } from '../users/contract.ts'
import { PreferenceTable } from './catalogue.ts'
import { preferenceCatalogue, preferences } from './contract.ts'
import { appearance } from './declared/appearance.ts'
import { chat } from './declared/chat.ts'
import { region } from './declared/region.ts'
import { GlobalPreferences } from './global-preferences.ts'
import { globalRoutes } from './global-routes.ts'
import type { needs } from './needs.ts'
import { PersonalPreferences } from './personal-preferences.ts'
import { personalRoutes } from './routes.ts'
import { deleteTenant } from './store.ts'

/** Provides the catalogue of preferences and what users chose. */
export function setupPreferences(scope: Scope, { audit }: Needed<typeof needs>): void {
  const table = new PreferenceTable()
  scope.use(table.register([...appearance, ...region, ...chat]))
  const personal = new PersonalPreferences(scope.db, table)
  scope.provide(preferenceCatalogue, table)
  scope.provide(preferences, personal)
  scope.route(...personalRoutes(personal), ...globalRoutes(new GlobalPreferences({ scope, table, audit })))
  scope.on(usersDeleted, (user) => personal.forget(user))
  scope.on(tenantsDeleted, ({ tenantId }) => deleteTenant(scope.db, tenantId))
}
