import { TenantModel } from '#kernel'

/** An API key; its secrets stand in rows of their own. */
export class KeyRow extends TenantModel {
  static override tableName = 'ai_api_keys'
  static override jsonAttributes = ['metadata']

  declare id: string
  declare name: string
  declare userId: number | null
  declare scopes: string[]
  declare models: string[]
  declare agents: string[]
  declare tools: string[]
  declare ipAllow: string[]
  declare expiresAt: Date | null
  declare status: 'active' | 'disabled'
  declare metadata: Record<string, string>
  declare version: number
  declare createdBy: number | null
  declare lastUsedAt: Date | null
  declare lastUsedIp: string | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** A secret of a key, of which only a keyed hash is kept. */
export class SecretRow extends TenantModel {
  static override tableName = 'ai_api_key_secrets'

  declare id: string
  declare keyId: string
  declare hash: string
  declare pepperVersion: number
  declare hint: string
  declare createdAt: Date
  /** When it ends; null for the one that the key goes by. */
  declare notAfter: Date | null
}
