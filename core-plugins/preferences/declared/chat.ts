import type { PreferenceDeclaration } from '../contract.ts'
import { texts } from '../texts/texts.ts'

/** Conversations, and being told of things. */
export const chat: readonly PreferenceDeclaration[] = [
  {
    key: 'chat_send_key',
    name: texts.of('chat_send_key'),
    schema: { enum: ['enter', 'ctrl_enter'] },
    default: 'enter',
  },
  {
    key: 'chat_stream',
    name: texts.of('chat_stream'),
    schema: { type: 'boolean' },
    default: true,
  },
  {
    key: 'default_agent_id',
    name: texts.of('default_agent_id'),
    // Null leaves the choice open.
    schema: { type: ['string', 'null'], maxLength: 64, pattern: '^agt_[0-9A-Za-z]+$' },
    default: null,
  },
  {
    key: 'notification_sound',
    name: texts.of('notification_sound'),
    schema: { type: 'boolean' },
    default: true,
  },
  {
    key: 'email_digest',
    name: texts.of('email_digest'),
    schema: { enum: ['off', 'daily', 'weekly'] },
    default: 'off',
  },
]
