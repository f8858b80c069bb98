import type { Knex } from 'knex'
import type { FieldError } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { AiGateway } from '../../ai/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import type { AgentDefinition } from '../contract.ts'
import type { ToolOffers } from '../tool-offers.ts'
import type { AgentAccess } from './wishes.ts'

/** What tells whether an agent can be. */
export interface CheckParts {
  readonly access: Pick<Access, 'listRoles' | 'knownOrgs'>
  readonly users: Pick<UserDirectory, 'list'>
  readonly gateway: Pick<AiGateway, 'find' | 'models'>
  readonly tools: Pick<ToolOffers, 'list'>
}

/** What of a definition could not answer now: a model that is not there, tools that nobody provides. */
export async function definitionFaults(
  { model, tools }: Pick<AgentDefinition, 'model' | 'tools'>,
  tenantId: number,
  { gateway, tools: offers }: CheckParts,
  db: Knex,
): Promise<readonly FieldError[]> {
  const found = gateway.find(model, tenantId)
  const isChat = gateway.models(tenantId).some(({ name, kind }) => name === found?.name && kind === 'chat')
  const offered = new Set(tools.length > 0 ? (await offers.list(tenantId, db)).map(nameOf) : [])
  return [
    ...(isChat ? [] : [{ field: 'model', rule: 'chat_model', message: 'is no model that chats' }]),
    ...tools.flatMap((tool, at) =>
      offered.has(nameOf(tool))
        ? []
        : [{ field: `tools[${String(at)}]`, rule: 'known_tool', message: 'is provided by no plugin that runs' }],
    ),
  ]
}

/** What of a draft can never be. */
export function draftFaults({
  tools = [],
  routing,
}: Partial<Pick<AgentDefinition, 'tools' | 'routing'>>): readonly FieldError[] {
  const isUnique = new Set(tools.map(nameOf)).size === tools.length
  const patterns = (routing?.patterns ?? []).flatMap((pattern, at) => {
    const field = `routing.patterns[${String(at)}]`
    return isPattern(pattern) ? [] : [{ field, rule: 'known_pattern', message: 'is no regular expression' }]
  })
  return [...(isUnique ? [] : [{ field: 'tools', rule: 'unique_tools', message: 'names a tool twice' }]), ...patterns]
}

/** Roles, nodes and users that the tenant does not have. */
export async function accessFaults(
  { roles = [], org_ids: orgIds = [], user_ids: userIds = [] }: AgentAccess,
  tenantId: number,
  { access, users }: CheckParts,
): Promise<readonly FieldError[]> {
  const codes = roles.length > 0 ? (await access.listRoles(tenantId)).map(({ code }) => code) : []
  const orgs = orgIds.length > 0 ? await access.knownOrgs(tenantId, orgIds) : []
  const people = userIds.length > 0 ? await users.list(tenantId, { ids: userIds, limit: userIds.length }) : []
  const ids = people.map(({ id }) => id)
  return [
    ...unknown(roles, codes, 'roles', 'known_role', 'is no role'),
    ...unknown(orgIds, orgs, 'org_ids', 'known_org', 'is no organisation node'),
    ...unknown(userIds, ids, 'user_ids', 'known_user', 'is no user'),
  ]
}

function unknown<T>(
  wanted: readonly T[],
  known: readonly T[],
  field: string,
  rule: string,
  message: string,
): readonly FieldError[] {
  return wanted.flatMap((each, at) =>
    known.includes(each) ? [] : [{ field: `access.${field}[${String(at)}]`, rule, message }],
  )
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'iu').source !== ''
  } catch {
    return false
  }
}

function nameOf({ plugin, name }: { readonly plugin: string; readonly name: string }): string {
  return `${plugin} ${name}`
}
