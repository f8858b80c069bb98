import type { OfferBody } from '../../../plugin-index/wire.ts'
import type {
  CapabilitiesBody,
  ConsentBody,
  OperationBody,
  OrphanBody,
  PluginDetailBody,
  PluginRowBody,
  RemovalPlanBody,
  RepairedPluginBody,
  StrayPlanBody,
  UpgradePlanBody,
  UsedServiceBody,
} from '../../../plugins/wire.ts'

/** An installed plugin as lists show one. */
export type PluginRow = PluginRowBody
/** The same with all there is to know. */
export type PluginDetail = PluginDetailBody
/** A long piece of work on a plugin. */
export type Operation = OperationBody
/** A service of another plugin that a plugin uses. */
export type UsedService = UsedServiceBody
/** What is to be allowed, of which package. */
export type Consent = ConsentBody
/** A right in a consent, with what was granted of it before. */
export type ConsentRight = ConsentBody['wider'][number]
/** A right that a package asks for. */
export type AskedRight = Omit<ConsentRight, 'before'>
/** What a right covers: hosts, tables, events, paths, bounds. */
export type RightDetail = ConsentRight['detail']
/** A right in its smallest part, with the one that it belongs to. */
export type RightPart = ConsentBody['added'][number]
/** What was counted of a release since it came. */
export type UpgradeWatch = NonNullable<PluginDetailBody['watch']>
/** A menu entry of a plugin as it is shown, with what was chosen otherwise than in its package. */
export type PluginMenuEntry = PluginDetailBody['menu'][number]
/** Another release of a plugin, and who would be left without a service of it. */
export type OtherRelease = NonNullable<PluginDetailBody['previous']>
/** What an upgrade would do. */
export type UpgradePlan = UpgradePlanBody
/** What an uninstall would do, and who still needs the plugin. */
export type RemovalPlan = RemovalPlanBody
/** What lies about of a plugin that is not installed, and would be removed. */
export type StrayPlan = StrayPlanBody
/** The same in a list. */
export type Orphan = OrphanBody
/** A plugin that was looked over. */
export type RepairedPlugin = RepairedPluginBody
/** What a plugin asks for, what it was granted and what is left of that. */
export type Capabilities = CapabilitiesBody

/** A plugin of an index. */
export type Offer = OfferBody
