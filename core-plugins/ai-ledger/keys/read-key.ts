import { isIP } from 'node:net'
import { faultOf } from '../faults.ts'
import type { KeyRow } from './key-model.ts'

/** What of a key its maker chooses. */
export interface KeyChange {
  readonly name?: string
  readonly scopes?: readonly string[]
  readonly models?: readonly string[]
  readonly agents?: readonly string[]
  readonly tools?: readonly string[]
  readonly ip_allow?: readonly string[]
  readonly expires_at?: string | null
  readonly metadata?: Readonly<Record<string, string>>
  readonly status?: 'active' | 'disabled'
}

/** Faults of what was chosen. */
export function faultsOf({ ip_allow: addresses = [], expires_at: expires }: KeyChange) {
  const wrong = addresses.flatMap((entry, at) => (isNetwork(entry) ? [] : [at]))
  return [
    ...wrong.map((at) => faultOf(`ip_allow[${at}]`, 'network', 'is no address or network')),
    ...(typeof expires === 'string' && Date.parse(expires) <= Date.now()
      ? [faultOf('expires_at', 'future', 'is in the past')]
      : []),
  ]
}

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}

/** The columns of what was chosen. */
export function columnsOf({ name, scopes, models, agents, tools, ip_allow, expires_at, metadata }: KeyChange) {
  return {
    ...(name !== undefined && { name }),
    ...(scopes && { scopes: [...scopes] }),
    ...(models && { models: [...models] }),
    ...(agents && { agents: [...agents] }),
    ...(tools && { tools: [...tools] }),
    ...(ip_allow && { ipAllow: [...ip_allow] }),
    ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : new Date(expires_at) }),
    ...(metadata && { metadata: { ...metadata } }),
  }
}

/** What the log of writes keeps of a key. */
export function factsOf({ name, tenantId, userId, scopes, models, agents, tools, ipAllow, expiresAt, status }: KeyRow) {
  const lists = { scopes, models, agents, tools, ip_allow: ipAllow }
  return { name, tenant_id: tenantId, user_id: userId, ...lists, expires_at: expiresAt, status }
}
