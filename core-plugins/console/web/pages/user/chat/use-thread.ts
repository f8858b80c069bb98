import { computed, ref } from 'vue'
import {
  ask,
  cancelRun,
  follow,
  rate,
  readConversation,
  runThatAsked,
  type ChatContext,
  type Conversation,
  type ConversationRow,
  type Routed,
  type RunEvent,
} from '../../../api/chat.ts'
import { persistently } from '../../../files/persistently.ts'
import { Problem } from '../../../session/problem.ts'
import { applyEvent } from './apply-event.ts'
import { useMessageTree } from './message-tree.ts'
import { emptyMessage, shownMessage, type Shown, type ShownFile } from './shown.ts'
import { useRouted } from './use-routed.ts'
import { useRunEvents } from './use-run-events.ts'

/** A conversation; of one that was begun here not all is known before its first answer is complete. */
type Known = Pick<Conversation, 'id' | 'title'> &
  Partial<Omit<ConversationRow, 'agent'>> & { readonly agent: Routed['agent'] | null }

/** With this the id of a question begins that the server has not named yet. */
const unsent = 'mine-'

/** The messages of one conversation, and the answer that is being written. */
export function useThread() {
  const tree = useMessageTree()
  const conversation = ref<Known>()
  const context = ref<ChatContext | null>(null)
  const earlier = ref<string | null>(null)
  const isRunning = ref(false)
  const error = ref<unknown>()
  /** Whether a question was refused because of an answer that is being written. */
  const isBusy = ref(false)
  const routed = useRouted()
  /** Runs by the answers that wait for a decision. */
  const runs = new Map<string, string>()
  let run: string | undefined
  let isTaken = false
  let isStopped = false
  let answer: Shown | undefined
  let stop = new AbortController()
  const { hear, flush } = useRunEvents(apply, () =>
    run === undefined ? undefined : { id: run, isWriting: answer?.isRunning === true },
  )

  /** Shows a conversation, and goes on with an answer that is being written. */
  async function open(id: string): Promise<void> {
    close()
    const { signal } = stop
    void routed.read(id, signal)
    await persistently(
      () => read(id, signal),
      signal,
      () => undefined,
    ).catch((problem: unknown) => {
      if (!signal.aborted) throw problem
    })
  }
  /** Reads again what another tab or device may have changed. */
  async function refresh(): Promise<void> {
    if (conversation.value && !isRunning.value) await read(conversation.value.id, stop.signal)
  }
  async function read(id: string, signal: AbortSignal): Promise<void> {
    const found = await readConversation(id, signal)
    if (signal.aborted || isRunning.value) return
    // What was not reached is reached now.
    if (error.value instanceof Problem && error.value.status === 0) error.value = undefined
    conversation.value = found
    context.value = found.context ?? null
    const at = tree.leaf.value
    const keepsEarlier = tree.replace(found.messages.items.map(shownMessage), at)
    if (!keepsEarlier) earlier.value = found.messages.next_cursor
    if (at !== undefined && tree.leaf.value === at) tree.choose(at)
    if (!found.active_run_id) return
    run = found.active_run_id
    await take(follow(run, signal))
  }
  async function readEarlier(limit?: number): Promise<void> {
    if (!conversation.value || earlier.value === null) return
    const found = await readConversation(conversation.value.id, stop.signal, { before: earlier.value, limit })
    earlier.value = found.messages.next_cursor
    tree.prepend(found.messages.items.map(shownMessage))
  }

  /** Leaves the conversation; an answer that is being written goes on without this page. */
  function close(): void {
    stop.abort()
    stop = new AbortController()
    settle()
    tree.clear()
    routed.found.clear()
    conversation.value = undefined
    context.value = null
    earlier.value = null
    error.value = undefined
    isBusy.value = false
  }

  /**
   * Asks, and shows the answer as it comes: after the last message that is shown, or another one. Without an agent whichever fits is
   * asked. Whether that was taken.
   */
  async function put(
    agent: string | undefined,
    text: string,
    more: { parent?: string | null; files?: readonly ShownFile[] } = {},
  ) {
    const parent = more.parent === undefined ? (tree.leaf.value ?? null) : more.parent
    const before = tree.leaf.value
    const { id } = tree.add({
      ...emptyMessage(`${unsent}${crypto.randomUUID()}`, parent, 'user'),
      text,
      files: more.files ?? [],
    })
    const files = (more.files ?? []).map((file) => ({ type: 'attachment', attachment_id: file.id }))
    const message = files.length > 0 ? [{ type: 'text', text }, ...files] : text
    const isTaken = await send(agent, { message, ...(conversation.value && { parent_message_id: parent ?? 'root' }) })
    if (isTaken) return true
    tree.all.delete(id)
    tree.leaf.value = before
    return false
  }
  /** Another answer to the question of one. */
  async function regenerate(agent: string, { parentId }: Shown): Promise<void> {
    if (parentId !== null) tree.leaf.value = parentId
    await send(agent, { regenerate: true, parent_message_id: parentId })
  }
  /** Says whether a call may be made; the answer goes on after all of them are decided on. */
  async function decide(agent: string, { id, tools }: Shown, decision: 'allow' | 'refuse'): Promise<void> {
    const calls = tools.filter(({ state }) => state === 'waiting')
    const decided = calls.map((tool) => ({ call_id: tool.id, decision }))
    for (const tool of calls) tool.state = decision === 'allow' ? 'running' : 'refused'
    const asked = runs.get(id) ?? (await runThatAsked(conversation.value?.id ?? '', calls[0]?.id ?? ''))
    await send(agent, { run_id: asked, tool_confirmations: decided })
  }
  /** Whether it was taken, whatever came of it. */
  async function send(agent: string | undefined, wish: object): Promise<boolean> {
    const { signal } = stop
    isTaken = false
    isBusy.value = false
    const body = { ...wish, conversation_id: conversation.value?.id ?? null, on_disconnect: 'continue' }
    await take(ask(agent, body, signal, crypto.randomUUID()))
    if (error.value instanceof Problem && error.value.reason === 'conversation_busy') void attend(signal)
    return signal.aborted || isTaken
  }
  /** Shows the answer that is in the way, which can be stopped then. */
  async function attend(signal: AbortSignal): Promise<void> {
    error.value = undefined
    isBusy.value = true
    await read(conversation.value?.id ?? '', signal).catch((problem: unknown) => (error.value = problem))
    if (!signal.aborted) isBusy.value = false
  }

  async function take(events: AsyncGenerator<RunEvent>): Promise<void> {
    const { signal } = stop
    isRunning.value = true
    isStopped = false
    error.value = undefined
    try {
      await hear(events, signal)
    } catch (problem) {
      if (!signal.aborted) error.value = problem
    } finally {
      if (!signal.aborted) settle()
    }
    if (!signal.aborted && error.value === undefined) await refresh().catch(() => undefined)
  }
  function apply(event: RunEvent): void {
    const { kind, data } = event
    if (kind === 'run.started') {
      run = String(data['run_id'])
      const id = String(data['message_id'])
      const found = data['route'] as Routed | undefined
      if (found) routed.found.set(id, found)
      conversation.value ??= { id: String(data['conversation_id']), title: '', agent: found?.agent ?? null }
      const question = String(data['user_message_id'])
      const before = tree.leaf.value ?? ''
      if (before.startsWith(unsent)) tree.rename(before, question)
      const isAfterAnswer = tree.all.get(before)?.role === 'assistant'
      answer = tree.answer(id, !isAfterAnswer && tree.all.has(question) ? question : (tree.leaf.value ?? null))
      tree.leaf.value = id
      Object.assign(answer, { text: '', tools: [], citations: [], isRunning: true, finish: null })
      runs.set(id, run)
      isTaken = true
      if (isStopped) void cancel()
    } else if (kind === 'context.ready') context.value = data
    else if (answer) applyEvent(event, answer)
    if (kind === 'run.failed') error.value = new Problem(502, (data['error'] as object | undefined) ?? {})
  }
  function settle(): void {
    flush()
    if (answer) answer.isRunning = false
    answer = undefined
    run = undefined
    isRunning.value = false
  }

  /** Ends the answer; what was said stays. */
  async function cancel(): Promise<void> {
    // Before it has begun, it ends as soon as it does.
    isStopped = true
    if (run === undefined) return
    if (answer) answer.isRunning = false
    await cancelRun(run).catch((problem: unknown) => (error.value = problem))
  }
  async function judge(message: Shown, rating: 'up' | 'down'): Promise<void> {
    if (!conversation.value) return
    const now = message.rating === rating ? null : rating
    await rate(conversation.value.id, message.id, now)
    const shown = tree.all.get(message.id)
    if (shown) shown.rating = now
  }

  const messages = computed(() => tree.path.value)
  return {
    ...{
      messages,
      conversation,
      context,
      earlier,
      isRunning,
      isBusy,
      error,
      routed: routed.found,
      choose: tree.choose,
    },
    ...{ open, close, refresh, readEarlier, put, regenerate, decide, cancel, judge },
  }
}
