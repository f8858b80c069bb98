import { pluginDisabled, pluginEnabled, type Manifest, type PluginHost, type Scope, tenantsDeleted } from '#kernel'
import type { Access, Audit } from '../access/contract.ts'
import type { Jobs } from '../jobs/contract.ts'
import { Bonds } from './writing/bonds.ts'
import { Catalogue } from './catalogue/catalogue.ts'
import { CatalogueRecords } from './catalogue/catalogue-records.ts'
import { ChangeRequests } from './writing/change-requests.ts'
import { Decisions } from './changes/decisions.ts'
import {
  configChanged,
  valuesChanged,
  type ConfigReader,
  type ConfigWriter,
  type TenantConfigWorkflow,
} from './contract.ts'
import { Checks } from './extensions/checks.ts'
import { ComputedValues } from './extensions/computed-values.ts'
import { Effects } from './extensions/effects.ts'
import { FileValues } from './extensions/files.ts'
import { Guards } from './extensions/guards.ts'
import { DynamicOptions } from './extensions/options.ts'
import { SecretMembers } from './extensions/secret-members.ts'
import { ConfigNames } from './names.ts'
import { GroupViews } from './reading/group-view.ts'
import { materialiseDefaults } from './reading/materialise-defaults.ts'
import { Outbox, type Occurrence } from './outbox/outbox.ts'
import { Declarations } from './catalogue/declarations.ts'
import { createReader } from './reading/reader.ts'
import { createSslCheck, createSslValidation, sslGroup } from './ssl/ssl-settings.ts'
import { StoredValues } from './reading/stored-values.ts'
import { ValueCodec } from './reading/value-codec.ts'
import { Workflow } from './writing/workflow.ts'
import { WriteRules } from './writing/write-rules.ts'
import { createTenantWorkflow, createWriter } from './writing/writer.ts'

/** The parts of configuration that routes and other plugins use. */
export interface Configuration {
  readonly catalogue: Catalogue
  readonly reader: ConfigReader
  readonly writer: ConfigWriter
  readonly views: GroupViews
  readonly tenantWorkflow: TenantConfigWorkflow
  readonly decisions: Decisions
  readonly codec: ValueCodec
  readonly options: DynamicOptions
  readonly computed: ComputedValues
  readonly secretMembers: SecretMembers
  readonly files: FileValues
  readonly names: ConfigNames
}

/** What configuration stands on. */
interface ConfigurationNeeds {
  readonly host: PluginHost
  readonly access: Access
  readonly audit: Audit
  readonly jobs: Jobs
}

/** Builds configuration on the groups of every enabled plugin, and follows plugins that come and go. */
export async function createConfiguration(
  scope: Scope,
  { host, access, audit, jobs }: ConfigurationNeeds,
  own: Pick<Manifest, 'name' | 'config'>,
): Promise<Configuration> {
  const catalogue = new Catalogue()
  const records = new CatalogueRecords(scope.db)
  const stored = new StoredValues(scope.db)
  const secretMembers = new SecretMembers()
  const codec = new ValueCodec(scope.secrets, secretMembers)
  const computed = new ComputedValues()
  const parts = { catalogue, records, stored, codec, computed }
  if (scope.env.materialiseDefaults) stored.onFirstAccess = (id) => materialiseDefaults(scope.db, id, parts)
  const reader = createReader(parts)
  const options = new DynamicOptions()
  const [checks, effects, guards, files] = [new Checks(), new Effects(), new Guards(), new FileValues()]
  const names = new ConfigNames(access)
  const validations = new Map([[sslGroup, createSslValidation(reader)]])
  const views = new GroupViews({ ...parts, options, names, validations })
  const requests = new ChangeRequests(parts)
  const rules = new WriteRules(parts, checks, files)
  const outbox = new Outbox(scope, jobs, effects, announce)
  const bonds = new Bonds(secretMembers)
  const workflow = new Workflow({ scope, config: parts, views, rules, guards, bonds, files, requests, outbox, audit })
  const declarations = new Declarations({ catalogue, records, log: scope.log })
  const writer = createWriter(parts, { views, workflow, declarations, outbox, guards, files })

  for (const manifest of [own, ...host.manifests]) await declarations.enable(manifest)
  scope.on(pluginEnabled, async ({ name }) => {
    const manifest = host.manifests.find((candidate) => candidate.name === name)
    // This plugin's own groups stand already; its event comes once the setup has ended.
    if (manifest && name !== own.name) await declarations.enable(manifest)
  })
  scope.on(pluginDisabled, ({ name }) => declarations.disable(name))
  scope.on(configChanged, ({ tenantId }) => stored.forget(tenantId), 'every-host')
  scope.onChanges(valuesChanged, (tenants) => stored.forgetThese(tenants))
  scope.onChanges('config.items', () => {
    records.forget()
    stored.forgetThese('all')
  })
  scope.on(tenantsDeleted, ({ tenantId }) => forgetTenant(tenantId))
  scope.use(jobs.register(outbox.kind))
  const tenantWorkflow = createTenantWorkflow(writer, { checks, effects, guards, names })
  const decisions = new Decisions({ scope, config: parts, views, workflow, requests, audit })
  checks.register(createSslCheck(reader))
  const registries = { options, computed, secretMembers, files, names }
  return { catalogue, reader, writer, views, tenantWorkflow, decisions, codec, ...registries }

  async function announce({ scope: of, group, keys, tenantId }: Occurrence): Promise<void> {
    stored.forget(tenantId)
    const isTold = await scope.emit(configChanged, { scope: of, group, keys, tenantId })
    if (!isTold) throw new Error('a listener failed, or other hosts could not be told')
  }

  async function forgetTenant(tenantId: number): Promise<void> {
    await scope.db.transaction((trx) => writer.removeTenant(tenantId, trx))
  }
}
