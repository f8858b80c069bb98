import type { RouteContext } from '#kernel'
import { AnswerCollector } from '../../wire/answer.ts'
import { responses } from '../../wire/dialects/responses/dialect.ts'
import { fieldFault } from '../../wire/faults.ts'
import { Members, objectAt } from '../../wire/json.ts'
import type { NeutralAnswer, NeutralMessage, NeutralRequest } from '../../wire/neutral.ts'
import { answerInDialect, type AnswerWatcher } from '../answer.ts'
import type { KeptResponses, SurfaceKey, SurfaceParts } from '../ports.ts'

/** Answers a `POST /v1/responses`, after what `previous_response_id` names, and keeps it unless `store` is false. */
export async function answerResponse(
  ctx: Pick<RouteContext, 'body' | 'header' | 'signal' | 'state'>,
  key: SurfaceKey,
  parts: Pick<SurfaceParts, 'relay' | 'agents' | 'responses'>,
): Promise<unknown> {
  const members = new Members(objectAt(ctx.body, 'body'))
  const read = responses.read(ctx.body)
  const previous = members.text('previous_response_id')
  const before = previous === undefined ? [] : await parts.responses.find(previous, key)
  if (!before) throw fieldFault('previous_response_id', 'there is no such response of this key')
  const request = before.length === 0 ? read : { ...read, messages: joined(read, before) }
  const id = responses.newId()
  const watcher = members.flag('store') === false ? undefined : keeping(id, key, request, parts.responses)
  return answerInDialect(responses, request, ctx, key, parts, { id, watcher })
}

/** Instructions are those of this request alone: they stand before what was said earlier. */
function joined({ messages, source }: NeutralRequest, before: readonly NeutralMessage[]): readonly NeutralMessage[] {
  const own = typeof source?.body['instructions'] === 'string' ? 1 : 0
  return [...messages.slice(0, own), ...before, ...messages.slice(own)]
}

function keeping(id: string, key: SurfaceKey, request: NeutralRequest, kept: KeptResponses): AnswerWatcher {
  const collector = new AnswerCollector()
  const own = typeof request.source?.body['instructions'] === 'string' ? 1 : 0
  return {
    event(event) {
      if (event.type !== 'switched') collector.push(event)
    },
    async whole(answer: NeutralAnswer = collector.answer) {
      await kept.keep(id, key, [...request.messages.slice(own), { role: 'assistant', parts: answer.parts }])
    },
  }
}
