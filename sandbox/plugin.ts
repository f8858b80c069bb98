import { definePlugin, type Plugin } from '#kernel'
import { declareConfig, declareMenus, declarePermissions } from './plugin/declarations.ts'
import { compileRoutes } from './plugin/routes.ts'
import type { Release, Sandbox } from './services.ts'
import type { Grants } from './grants.ts'

/** Makes an ordinary plugin of a third party's release: the same routes, guard and errors as every other. */
export function toPlugin(release: Release, grants: Grants, sandbox: Sandbox): Plugin {
  const { manifest } = release
  return definePlugin({
    name: manifest.name,
    version: manifest.version,
    title: manifest.title,
    description: manifest.description,
    permissions: declarePermissions(manifest),
    menus: declareMenus(manifest),
    config: declareConfig(manifest),
    setup(scope) {
      scope.route(...compileRoutes({ release, grants, sandbox }))
    },
  })
}
