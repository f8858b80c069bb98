import type { Access } from '../../access/contract.ts'
import type { AgentDirectory } from '../../agents/contract.ts'
import { userOf } from './key-user.ts'
import type { AgentAsker } from '../contract.ts'
import { errorIn } from '../door/error-in.ts'
import type { UnstoredRuns } from './unstored-runs.ts'

const nothingSaid = { inputs: {}, maxOutputTokens: undefined, temperature: undefined }

/** Asks agents for other core plugins. */
export function createAsker(
  runs: UnstoredRuns,
  agents: Pick<AgentDirectory, 'get'>,
  access: Pick<Access, 'grantsOf'>,
): AgentAsker {
  return {
    userOfKey: (key) => userOf(key, access),
    async ask({ agent: named, text, ...question }) {
      const agent = await agents.get(question.user, named)
      const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }]
      const { live } = await runs.start({ ...nothingSaid, ...question, agent, messages })
      let answer = ''
      let finish = ''
      for await (const { kind, data } of live.read(-1)) {
        if (kind === 'message.delta') answer += String(data['text'])
        if (kind === 'message.replaced') answer = String(data['text'])
        if (kind === 'run.failed') throw errorIn(data)
        if (typeof data['finish_reason'] === 'string') finish = data['finish_reason']
      }
      return { text: answer, finish }
    },
  }
}
