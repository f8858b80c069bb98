import { versionText } from '../shared/schemas.ts'

const text = { type: 'string', minLength: 1, maxLength: 128 } as const

/** What somebody who restores a backup says beside its name. */
export const restoreBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    confirm: { type: 'boolean', description: 'That rows which are there now may be lost.' },
    reason: { type: 'string', minLength: 1, maxLength: 500 },
  },
} as const

/** Where to go back to, and what becomes of the rows. */
export const rollbackBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    version: {
      ...versionText,
      description: 'A version that is kept here; the previous one unless said otherwise.',
    },
    data: {
      enum: ['keep', 'down', 'restore'],
      description: 'Whether rows stay, migrations are taken back, or a backup is restored.',
    },
    backup: { ...text, description: 'The backup to restore; the newest of that release unless said otherwise.' },
    confirm: { type: 'boolean', description: 'That a restore may lose rows.' },
    reason: { ...text, maxLength: 500 },
  },
} as const
