import { randomUUID } from 'node:crypto'
import type { Dialect } from '../../dialect.ts'
import { presentMessage } from './present.ts'
import { readMessagesBody } from './read.ts'
import { presentMessagesError } from './words.ts'
import { MessageWriter } from './write.ts'

/** Anthropic's messages. */
export const messages: Dialect = {
  name: 'messages',
  wire: 'messages',
  newId: () => `msg_${randomUUID().replaceAll('-', '')}`,
  read: readMessagesBody,
  answer: presentMessage,
  writer: (about) => new MessageWriter(about),
  error: presentMessagesError,
}
