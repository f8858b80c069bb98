import { isObject, type JsonObject } from '../../json.ts'
import { AnswerCollector, answerEvents } from '../../answer.ts'
import type { NeutralAnswer } from '../../neutral.ts'
import { UpstreamFaultError } from '../../vendor.ts'
import { parseSaid, unreadable, wordOf } from '../said.ts'
import { faultOfError } from './fault.ts'
import { isTextSeal, readGeminiFinish, readGeminiUsage, readParts } from './parts.ts'

/** Reads a whole `generateContent`; throws an UpstreamFaultError for what is none. */
export function readGeminiAnswer(body: string): NeutralAnswer {
  const answer = parseSaid(body)
  if (answer['error']) throw new UpstreamFaultError(faultOfError(0, answer['error']))
  const head = { id: wordOf(answer['responseId']), model: wordOf(answer['modelVersion']) }
  const usage = readGeminiUsage(answer['usageMetadata'])
  const candidate = candidateOf(answer)
  if (!candidate) {
    if (isBlocked(answer)) return { ...head, parts: [], finish: 'content_filter', usage }
    throw unreadable('The answer has no candidate')
  }
  const parts = readParts(candidate)
  const hasCalls = parts.some(({ type }) => type === 'tool_call')
  return joined({ ...head, parts, finish: readGeminiFinish(wordOf(candidate['finishReason']), hasCalls), usage })
}

/** The first candidate, if there is one. */
export function candidateOf({ candidates }: JsonObject): JsonObject | undefined {
  const first: unknown = Array.isArray(candidates) ? candidates[0] : undefined
  return isObject(first) ? first : undefined
}

/** Whether the prompt itself was refused. */
export function isBlocked({ promptFeedback: feedback }: JsonObject): boolean {
  return isObject(feedback) && typeof feedback['blockReason'] === 'string'
}

/** Words that come in pieces, in one. */
function joined(answer: NeutralAnswer): NeutralAnswer {
  const collector = new AnswerCollector()
  let isThinking = false
  for (const event of answerEvents(answer)) {
    if (isThinking && isTextSeal(event)) collector.push({ type: 'reasoning', vendor: 'gemini', done: true })
    isThinking = event.type === 'reasoning' && !isTextSeal(event)
    collector.push(isThinking ? ({ ...event, done: false } as typeof event) : event)
  }
  return collector.answer
}
