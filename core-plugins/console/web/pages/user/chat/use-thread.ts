import { reactive, ref } from 'vue'
import {
  ask,
  cancelRun,
  follow,
  type Citation,
  type Conversation,
  type Message,
  type RunEvent,
} from '../../../api/chat.ts'
import { call } from '../../../api/client.ts'
import { Problem } from '../../../session/problem.ts'

/** A message as it is shown. */
export interface Shown {
  readonly id: string
  readonly role: 'user' | 'assistant'
  text: string
  isRunning: boolean
  finish: string | null
  citations: readonly Citation[]
  tools: { readonly id: string; readonly title: string; state: 'running' | 'ok' | 'failed' }[]
}

/** The messages of one conversation, and the one that is being written. */
export function useThread() {
  const messages = reactive<Shown[]>([])
  const conversation = ref<Pick<Conversation, 'id' | 'title' | 'agent'>>()
  const run = ref<string>()
  const isRunning = ref(false)
  const error = ref<unknown>()
  let stop = new AbortController()

  /** Shows a conversation, and goes on with an answer that is being written. */
  async function open(id: string): Promise<void> {
    close()
    const { signal } = stop
    const found = await call<Conversation>('GET', `/ai/agent-chat/conversations/${id}`, { signal })
    conversation.value = found
    messages.push(...found.messages.items.map(shown))
    if (found.active_run_id) await take(follow(found.active_run_id, signal))
  }

  /** Leaves the conversation; an answer that is being written goes on without this page. */
  function close(): void {
    stop.abort()
    stop = new AbortController()
    messages.length = 0
    conversation.value = undefined
    run.value = undefined
    isRunning.value = false
    error.value = undefined
  }

  /** Asks, and shows the answer as it comes. */
  async function put(agent: string, text: string): Promise<void> {
    messages.push({ ...empty(`mine-${messages.length}`, 'user'), text })
    const body = { message: text, conversation_id: conversation.value?.id ?? null, on_disconnect: 'continue' }
    await take(ask(agent, body, stop.signal, crypto.randomUUID()))
  }

  async function take(events: AsyncGenerator<RunEvent>): Promise<void> {
    const { signal } = stop
    isRunning.value = true
    error.value = undefined
    try {
      for await (const event of events) apply(event)
    } catch (problem) {
      if (!signal.aborted) await recover(problem)
    } finally {
      if (!signal.aborted) settle()
    }
  }

  /** What was lost on the way is taken up from the run's own record. */
  async function recover(problem: unknown): Promise<void> {
    if (run.value === undefined || (problem instanceof Problem && problem.status !== 0))
      return void (error.value = problem)
    const last = messages.at(-1)
    if (last?.role === 'assistant') last.text = ''
    try {
      for await (const event of follow(run.value, stop.signal)) apply(event)
    } catch (again) {
      error.value = again
    }
  }

  function settle(): void {
    isRunning.value = false
    run.value = undefined
    for (const message of messages) message.isRunning = false
  }

  function apply({ kind, data }: RunEvent): void {
    const answer = () => messages.at(-1)
    if (kind === 'run.started') {
      run.value = String(data['run_id'])
      conversation.value ??= { id: String(data['conversation_id']), title: '', agent: null }
      const id = String(data['message_id'])
      if (!messages.some((message) => message.id === id)) messages.push({ ...empty(id, 'assistant'), isRunning: true })
    }
    const last = answer()
    if (last?.role !== 'assistant') return
    if (kind === 'message.delta') last.text += String(data['text'])
    if (kind === 'message.replaced') last.text = String(data['text'])
    if (kind === 'citation') last.citations = [...last.citations, data as unknown as Citation]
    if (kind === 'tool.started')
      last.tools.push({ id: String(data['call_id']), title: String(data['title'] ?? data['name']), state: 'running' })
    if (kind === 'tool.completed') {
      const tool = last.tools.find(({ id }) => id === data['call_id'])
      if (tool) tool.state = data['ok'] === true ? 'ok' : 'failed'
    }
    if (kind === 'message.completed') last.text = (data['message'] as Message).content
    if (kind === 'run.completed' || kind === 'run.cancelled')
      last.finish = typeof data['finish_reason'] === 'string' ? data['finish_reason'] : kind.slice(4)
    if (kind === 'run.failed') {
      last.finish = 'error'
      error.value = new Problem(502, (data['error'] as object | undefined) ?? {})
    }
  }

  /** Ends the answer; what was said stays. */
  async function cancel(): Promise<void> {
    const running = run.value
    if (running === undefined) return
    const last = messages.at(-1)
    if (last) last.isRunning = false
    await cancelRun(running).catch((problem: unknown) => (error.value = problem))
  }

  return { messages, conversation, isRunning, error, open, close, put, cancel }
}

function empty(id: string, role: Shown['role']): Shown {
  return { id, role, text: '', isRunning: false, finish: null, citations: [], tools: [] }
}

function shown({ id, role, content, finish_reason: finish, citations, tool_calls: calls }: Message): Shown {
  const tools = calls.map(({ name, status }, index) => ({
    id: `${id}-${index}`,
    title: name,
    state: status === 'error' ? ('failed' as const) : ('ok' as const),
  }))
  return { id, role, text: content, isRunning: false, finish, citations, tools }
}
