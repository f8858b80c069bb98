import assert from 'node:assert/strict'
import { clients, type Turn } from './conversation-clients.ts'
import { surfaceWorld, vendors } from './world.ts'

type Body = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** What a request gives back of what was thought before, in the vendor's own words. */
const thoughtsIn: Readonly<Record<string, (body: Body) => readonly unknown[]>> = {
  openai_compatible: ({ messages = [] }) => messages.flatMap(({ reasoning_content: text }) => text ?? []),
  anthropic: ({ messages = [] }) =>
    messages.flatMap(({ content }) =>
      Array.isArray(content) ? (content as Body[string]).flatMap(({ signature }) => signature ?? []) : [],
    ),
  gemini: ({ contents = [] }) =>
    contents.flatMap(({ parts }) => (parts as Body[string]).flatMap(({ thoughtSignature }) => thoughtSignature ?? [])),
  openai_responses: ({ input = [], messages = [] }) => [
    ...input.flatMap(({ encrypted_content: sealed }) => sealed ?? []),
    ...messages.flatMap(({ reasoning_content: text }) => text ?? []),
  ],
}

/** Clients that give thoughts back as text alone, and vendors that take none without their seal. */
const refused = (client: string, vendor: string): boolean => client.startsWith('ai:') && vendor === 'anthropic'

describe('A conversation with thoughts and calls', () => {
  let door: Awaited<ReturnType<typeof surfaceWorld>>
  before(async () => (door = await surfaceWorld()))
  after(() => door[Symbol.asyncDispose]())

  for (const [client, begin] of Object.entries(clients)) {
    for (const vendor of vendors) {
      const outcome = refused(client, vendor) ? 'is refused by name' : 'crosses whole'
      it(`of ${client} with ${vendor} ${outcome}`, async () => {
        const conversation = begin(door.url, vendor)
        const thought = 'I think about it.'
        const calls = async (text: string): Promise<string> => {
          const turn = await conversation.say(text)
          assert.deepEqual([turn.thought, turn.text, turn.callId !== undefined], [thought, '', true])
          return turn.callId ?? ''
        }
        const says = async (turn: Promise<Turn>, text: string): Promise<void> => {
          const { callId, ...said } = await turn
          assert.deepEqual([said, callId], [{ text: `echo: ${text}`, thought }, undefined])
        }
        const first = await calls('Please call look')
        if (refused(client, vendor)) {
          return assert.rejects(conversation.result(first, 'a cat'), /messages\[1\]\.reasoning|No output generated/)
        }
        await says(conversation.result(first, 'a cat'), 'a cat')
        const second = await calls('Now call look again')
        await says(conversation.result(second, 'a dog'), 'a dog')
        const { body } = (await door.lane.seen()).at(-1) ?? {}
        const given = thoughtsIn[vendor]?.(body as Body) ?? []
        // Gemini seals its calls, of which there were two; others seal each of three thoughts.
        assert.equal(given.length, vendor === 'gemini' ? 2 : 3, JSON.stringify(body))
      })
    }
  }
})
