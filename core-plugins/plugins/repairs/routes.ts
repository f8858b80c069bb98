import { defineRoute, type Route, type TextTeller } from '#kernel'
import type { PluginRow } from '../shared/models.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import type { OrphanNeeds, RepairNeeds } from './needs.ts'
import type { Catalogue } from '../reading/catalogue.ts'
import { stillRunning } from '../shared/answer-schemas.ts'
import { dryRunQuery, pluginParams } from '../shared/schemas.ts'
import { askedAsync } from '../changes/asked.ts'
import type { PluginChanges, Verb } from '../changes/plugin-changes.ts'
import { presentFinding, type Finding } from './finding.ts'
import { listOrphans } from './list-orphans.ts'
import { orphanList, repairedBody } from './schemas.ts'
import { planRepair, repairPlugin } from './repair-plugin.ts'

/** What routes of repairs stand on. */
interface RepairRouteParts {
  readonly parts: RepairNeeds & OrphanNeeds
  readonly catalogue: Catalogue
  readonly changes: PluginChanges<RepairNeeds>
  readonly teller: TextTeller
}

/** Mends plugins, under one prefix. */
export function repairRoutes(
  { parts, catalogue, changes, teller }: RepairRouteParts,
  prefix: string,
): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: `${prefix}/orphans`,
      summary: 'List what lies about of plugins that are not installed',
      auth: 'platform',
      permission: 'platform_plugin:force_cleanup',
      schema: { response: orphanList },
      handler: async () => ({ items: await listOrphans(parts) }),
    }),
    defineRoute({
      method: 'post',
      path: `${prefix}/{plugin_id}/repair`,
      summary: 'Look a plugin over and mend it; with dry_run only look',
      respondsAsync: true,
      auth: 'platform',
      permission: 'platform_plugin:repair',
      answers: [200, stillRunning],
      schema: { params: pluginParams, query: dryRunQuery, response: repairedBody },
      errors: [4046, 4092, 4094],
      async handler(ctx) {
        const { params, query, state } = ctx
        let findings: readonly Finding[] = []
        const present = async (plugin: PluginRow) => ({
          ...(await catalogue.detail(plugin, state.locale)),
          findings: findings.map((finding) => presentFinding(finding, teller, state.locale)),
        })
        if (query.dry_run) {
          const plugin = await getPlugin(parts.db, params.plugin_id)
          findings = await planRepair(parts, plugin)
          return present(plugin)
        }
        const repair: Verb<RepairNeeds> = async (given, plugin, actor) => {
          findings = (await repairPlugin(given, plugin, actor)).findings
        }
        return changes.perform(params.plugin_id, askedAsync(ctx), repair, present)
      },
    }),
  ]
}
