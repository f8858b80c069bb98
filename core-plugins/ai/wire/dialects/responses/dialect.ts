import { randomUUID } from 'node:crypto'
import { answerEvents } from '../../answer.ts'
import type { AnswerAbout, Dialect } from '../../dialect.ts'
import type { JsonObject } from '../../json.ts'
import type { NeutralAnswer } from '../../neutral.ts'
import { presentChatError } from '../chat-completions/error.ts'
import { ownResponse } from './passed.ts'
import { readResponses } from './read.ts'
import { ResponseWriter } from './write.ts'

/** OpenAI's responses. */
export const responses: Dialect = {
  name: 'responses',
  wire: 'responses',
  newId: () => `resp_${randomUUID().replaceAll('-', '')}`,
  read: readResponses,
  answer: presentAnswer,
  writer: (about) => new ResponseWriter(about),
  error: presentChatError,
}

function presentAnswer(answer: NeutralAnswer, about: AnswerAbout): string {
  if (answer.frame?.wire === 'responses') {
    return JSON.stringify(ownResponse(JSON.parse(answer.frame.data) as JsonObject, about))
  }
  const writer = new ResponseWriter(about)
  for (const event of answerEvents(answer)) writer.write(event)
  return JSON.stringify(writer.response)
}
