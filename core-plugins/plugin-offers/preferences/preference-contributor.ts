import type { PreferenceCatalogue } from '../../preferences/contract.ts'
import type { Contributor } from '../../plugins/contract.ts'

/** Lets users set what plugins declare as preferences, under `plugin.<name>.<key>`, while the plugin runs. */
export function createPreferenceContributor(catalogue: PreferenceCatalogue): Contributor {
  return (scope, { release: { name, manifest } }) => {
    const declared = manifest.preferences ?? []
    scope.register(() =>
      catalogue.register(
        declared.map(({ key, title, schema, default: value }) => ({
          key: `plugin.${name}.${key}`,
          name: title,
          schema,
          default: value,
        })),
      ),
    )
  }
}
