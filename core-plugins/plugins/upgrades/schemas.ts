import { channelName, sourceId, versionText } from '../shared/schemas.ts'

const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const

/** What an upgrade is told beside the package. */
export const upgradeQuery = {
  type: 'object',
  properties: {
    dry_run: { type: 'boolean', description: 'Only what it would ask for, and whom it would leave without a service.' },
    force: { type: 'boolean', description: 'Also where the plugin is pinned.' },
    lower_trust: {
      type: 'boolean',
      description: 'To a release that is trusted less than the active one; only for who may consent.',
    },
    accept_release_hash: { ...hash, description: 'As in `accept`, for a package that is sent along.' },
    accept_diff_hash: { ...hash, description: 'As in `accept`, for a package that is sent along.' },
  },
  dependentRequired: {
    accept_release_hash: ['accept_diff_hash'],
    accept_diff_hash: ['accept_release_hash'],
  },
} as const

/** Which release to take from an index, or from those that are kept. */
export const upgradeBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    version: versionText,
    channel: channelName,
    source: sourceId,
    unpin: { type: 'boolean', description: 'A pinned plugin is pinned no more.' },
    accept: {
      type: 'object',
      description: 'The consent that the release will ask for; only from who may consent.',
      additionalProperties: false,
      required: ['release_hash', 'diff_hash'],
      properties: { release_hash: hash, diff_hash: hash },
    },
  },
} as const

/** Whether a plugin stays at its version. */
export const pinBody = {
  type: 'object',
  additionalProperties: false,
  required: ['pinned'],
  properties: { pinned: { type: 'boolean' } },
} as const
