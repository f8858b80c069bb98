import { readConversation, type Conversation, type Message } from '../../../api/chat.ts'
import { saveFile } from '../../../api/download.ts'
import { say } from '../../../tab/i18n.ts'
import { absoluteTime } from '../../../ui/times.ts'

const pageSize = 100

/** All that was said on one branch of a conversation, as Markdown to paste or as a file; also what the page has not loaded. */
export async function exportConversation(
  form: 'copy' | 'markdown' | 'json',
  { id, leaf }: { readonly id: string; readonly leaf: string | undefined },
): Promise<void> {
  const { conversation, messages } = await readBranch(id, leaf)
  if (form === 'copy') return navigator.clipboard.writeText(toMarkdown(conversation, messages))
  const [text, type, end] =
    form === 'markdown'
      ? ([toMarkdown(conversation, messages), 'text/markdown', 'md'] as const)
      : ([toJson(conversation, messages), 'application/json', 'json'] as const)
  saveFile(new Blob([text], { type }), `${fileName(conversation.title)}.${end}`)
}

/** The messages that lead to one, oldest first. */
async function readBranch(id: string, leaf: string | undefined) {
  const { signal } = new AbortController()
  const all = new Map<string, Message>()
  const conversation = await readConversation(id, signal, { limit: pageSize })
  let { messages } = conversation
  const last = leaf ?? messages.items.at(-1)?.id
  for (;;) {
    for (const message of messages.items) all.set(message.id, message)
    if (messages.next_cursor === null) break
    messages = (await readConversation(id, signal, { limit: pageSize, before: messages.next_cursor })).messages
  }
  const branch: Message[] = []
  for (let at = all.get(last ?? ''); at; at = all.get(at.parent_id ?? '')) branch.unshift(at)
  return { conversation, messages: branch }
}

function toMarkdown({ title, agent }: Conversation, messages: readonly Message[]): string {
  const parts = messages.map((message) => {
    const who = message.role === 'assistant' ? agent?.name || say('user.said.assistant') : say('user.said.user')
    return [`## ${who} · ${absoluteTime(message.created_at)}`, message.content, ...beside(message)].join('\n\n')
  })
  return `${[`# ${title || say('user.untitled')}`, ...parts].join('\n\n')}\n`
}

/** Files that came with a message, and sources that it names. */
function beside({ parts, citations }: Message): readonly string[] {
  const files = parts.flatMap((part) => (part.type === 'text' ? [] : [`- ${part.filename}`]))
  const sources = citations.map(({ index, title, quote }) => `- [${index}] ${title}: ${quote.replace(/\s+/g, ' ')}`)
  return [listOf('user.files', files), listOf('user.sources', sources)].flat()
}

function listOf(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`**${say(heading)}**`, lines.join('\n')]
}

function toJson({ id, title, agent, pinned, archived }: Conversation, messages: readonly Message[]): string {
  return `${JSON.stringify({ id, title, agent, pinned, archived, messages }, undefined, 2)}\n`
}

/** Without what systems do not take in names of files. */
function fileName(title: string): string {
  const plain = title.replace(/[\p{Cc}<>:"/\\|?*\s]+/gu, ' ').trim()
  return plain.slice(0, 80).replace(/[. ]+$/, '') || say('user.conversation')
}
