import type { PreferenceDeclaration } from '../../preferences/contract.ts'
import { texts } from '../texts/texts.ts'

const kind = { type: 'string', pattern: '^(\\*|[a-z0-9][a-z0-9._-]{0,127})$' } as const
const time = { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' } as const

/** How notifications reach a user. A kind is `<source>.<what>` or a whole source; `*` is everything else. */
export const channelPreferences: readonly PreferenceDeclaration[] = [
  {
    key: 'notification_channels',
    name: texts.of('preference.channels'),
    schema: {
      type: 'object',
      maxProperties: 50,
      propertyNames: kind,
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          app: { type: 'boolean' },
          email: { enum: ['now', 'digest', 'off'] },
          webhook: { type: 'boolean' },
        },
      },
    },
    default: {},
  },
  {
    key: 'notification_muted',
    name: texts.of('preference.muted'),
    schema: { type: 'array', maxItems: 50, uniqueItems: true, items: kind },
    default: [],
  },
  {
    key: 'quiet_hours',
    name: texts.of('preference.quiet_hours'),
    schema: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['from', 'to'],
      properties: { from: time, to: time },
    },
    default: null,
  },
]
