import { isObject } from '../../json.ts'
import type { NeutralRequest } from '../../neutral.ts'

/** What the platform itself asks models for in JSON, answered by simple rules so that it can be tried without a key; anything else by a mark. */
export function demoJson(format: NonNullable<NeutralRequest['format']>, told: string): unknown {
  const name = format.type === 'json_schema' ? format.name : ''
  if (name === 'conversation_summary') return summaryOf(read(told))
  if (name === 'memory_operations') return operationsOn(read(told))
  return { demo: true }
}

interface Told {
  readonly messages: readonly { readonly role: string; readonly text: string }[]
  readonly known: readonly string[]
  readonly previous: Readonly<Record<string, unknown>>
}

/** What users say of themselves, in English and Chinese. */
const aboutOneself =
  /^(?:my name is|i am|i['’]m|i live|i work|i prefer|i like|i love|i hate|call me|my [\w ]{1,30} is)\b.{2,200}|^(?:我叫|我是|我住在|我喜欢|我不喜欢|我的).{1,100}/iu
const preference = /\b(?:prefer|like|love|hate|call me)\b|喜欢/iu
const most = 5

function operationsOn({ messages, known }: Told): unknown {
  const found = messages.flatMap(({ role, text }, at) =>
    role === 'user' ? sentencesOf(text).flatMap((each) => (aboutOneself.test(each) ? [{ each, at: at + 1 }] : [])) : [],
  )
  const operations = found
    .filter(({ each }) => !known.includes(each))
    .slice(0, most)
    .map(({ each, at }) => {
      const kind = preference.test(each) ? 'preference' : 'fact'
      return { op: 'ADD', text: each, kind, scope: 'user', confidence: 0.6, source: [at] }
    })
  return { operations: operations.length > 0 ? operations : [{ op: 'NOOP' }] }
}

function summaryOf({ messages, previous }: Told): unknown {
  const first = (role: string) =>
    messages.flatMap((message) => (message.role === role ? (sentencesOf(message.text)[0]?.slice(0, 300) ?? []) : []))
  const list = (name: string): readonly unknown[] => (Array.isArray(previous[name]) ? previous[name] : [])
  const { goal } = previous
  return {
    goal: typeof goal === 'string' && goal !== '' ? goal : (first('user')[0] ?? ''),
    facts: [...list('facts'), ...first('user')].slice(-most * 2),
    decisions: [...list('decisions'), ...first('assistant')].slice(-most),
    ...{ open_items: [], preferences: list('preferences'), tool_state: list('tool_state') },
  }
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function read(told: string): Told {
  let said: unknown
  try {
    said = JSON.parse(told)
  } catch {
    said = undefined
  }
  const { messages, known, previous } = isObject(said) ? said : {}
  return {
    messages: listOf(messages).map(({ role, text }) => ({ role: String(role), text: String(text) })),
    known: listOf(known).map(({ text }) => String(text)),
    previous: isObject(previous) ? previous : {},
  }
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
