import { randomUUID } from 'node:crypto'
import type { Dialect } from '../../dialect.ts'
import { presentChatError } from './error.ts'
import { presentCompletion } from './present.ts'
import { readChatCompletions } from './read.ts'
import { ChatChunkWriter } from './write.ts'

/** OpenAI's chat completions. */
export const chatCompletions: Dialect = {
  name: 'chat_completions',
  wire: 'chat_completions',
  newId: () => `chatcmpl-${randomUUID().replaceAll('-', '')}`,
  read: readChatCompletions,
  answer: presentCompletion,
  writer: (about) => new ChatChunkWriter(about),
  error: presentChatError,
}
