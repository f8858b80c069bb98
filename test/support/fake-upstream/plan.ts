import type { Behaviour } from './behaviour.ts'
import type { Asked, Piece, Plan } from './wire.ts'

let made = 0

/** Decides what is answered: calls where a tool is asked for, otherwise what was said, repeated. */
export function planAnswer(asked: Asked, behaviour: Behaviour): Plan {
  made += 1
  const { text, isCut } = sayIn(asked, behaviour)
  const thoughts: readonly Piece[] =
    (behaviour.thinks ?? asked.thinks) ? ['I think ', 'about it.'].map((each) => ({ kind: 'thought', text: each })) : []
  const calls = callsOf(asked, behaviour)
  const words = calls.length > 0 ? [] : (text.match(/\S+\s*/g) ?? [])
  const pieces: readonly Piece[] = [
    ...thoughts,
    ...words.map((word) => ({ kind: 'text' as const, text: word })),
    ...calls,
  ]
  const output = Math.max(1, pieces.length)
  const usage = { input: asked.inputTokens, output, thoughts: thoughts.length }
  return {
    id: `fake-${made}`,
    model: asked.model,
    pieces,
    finish: calls.length > 0 ? 'calls' : isCut ? 'length' : 'stop',
    usage: { right: usage, wrong, much, none: undefined }[behaviour.usage ?? 'right'],
  }
}

const wrong = { input: -5, output: 1e15, thoughts: 0 }
const much = { input: 1_000_000, output: 1_000_000, thoughts: 1_000_000 }

function sayIn(asked: Asked, { text, words, ignoresMaxTokens }: Behaviour): { text: string; isCut: boolean } {
  const images = asked.images.map((image) => ` [image ${image}]`).join('')
  const told = words !== undefined ? 'word '.repeat(words) : (text ?? `echo: ${asked.text}${images}`)
  const stop = asked.stop.map((each) => told.indexOf(each)).filter((at) => at >= 0)
  const said = stop.length > 0 ? told.slice(0, Math.min(...stop)) : told
  const limit = ignoresMaxTokens ? Infinity : (asked.maxTokens ?? Infinity)
  const all = said.match(/\S+\s*/g) ?? []
  return all.length > limit ? { text: all.slice(0, limit).join(''), isCut: true } : { text: said, isCut: false }
}

/** As it was told, or `call <tool>` in the user's words, or because it must. */
function callsOf(asked: Asked, { calls }: Behaviour): readonly Piece[] {
  if (asked.hasResult || asked.tools.length === 0) return []
  const named = asked.tools.filter((tool) => new RegExp(`\\bcall\\b.*\\b${tool}\\b`).test(asked.text))
  const chosen = named.length > 0 ? named : asked.mustCall ? asked.tools.slice(0, 1) : []
  const wanted: NonNullable<Behaviour['calls']> =
    calls ?? chosen.map((name) => ({ name, arguments: { about: asked.text } }))
  return wanted.map(({ id, name, arguments: values }, at) => ({
    ...{ kind: 'call' as const, id: id ?? `call_${made}_${at}`, name, arguments: JSON.stringify(values) },
  }))
}

/** A token is four characters here. */
export function countTokens(value: unknown): number {
  return Math.max(1, Math.ceil(JSON.stringify(value ?? '').length / 4))
}
