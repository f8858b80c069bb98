import type { NeutralEvent } from '../wire/neutral.ts'
import type { Judge } from './judge.ts'
import { maskRanges, type Range } from './mask.ts'
import { cutSaid, saidIn, sayInstead } from './said-text.ts'
import type { ActiveRule } from './types.ts'

/** One guardrail in the way of an answer: what it let through goes on, what it has to see again is held back. */
export class Stage {
  readonly #rule: ActiveRule
  readonly #judge: Judge
  readonly #holdBack: number
  #held: NeutralEvent[] = []
  /** What the steps that are held say. */
  #text = ''
  #state: unknown = null
  #hasJudged = false
  #isThoughtMasked = false

  constructor(rule: ActiveRule, judge: Judge) {
    this.#rule = rule
    this.#judge = judge
    // One that wants whole answers sees this one when it is whole.
    this.#holdBack = rule.phases.has('output_stream') ? rule.holdBackChars : Infinity
  }

  /** Takes the next steps, and answers those that may go on; throws 400/4002 and 503/5034. */
  async push(events: readonly NeutralEvent[], final: boolean): Promise<readonly NeutralEvent[]> {
    for (const event of events) {
      this.#held.push(event)
      this.#text += saidIn(event)
    }
    const text = this.#text
    if (!final && text.length <= this.#holdBack) return this.#release(text === '' ? 0 : undefined, [])
    const ranges = text === '' ? [] : await this.#rangesIn(text, final)
    const most = final ? text.length : Math.max(0, text.length - this.#holdBack)
    const across = ranges.find(({ start, end }) => start < most && end > most)
    const boundary = across?.start ?? most
    return this.#release(
      final ? Infinity : boundary,
      ranges.filter(({ end }) => end <= boundary),
    )
  }

  async #rangesIn(text: string, final: boolean): Promise<readonly Range[]> {
    const { phases } = this.#rule
    const isWhole = final && !this.#hasJudged
    this.#hasJudged = true
    if (isWhole && phases.has('output')) {
      const [ranges = []] = await this.#judge.texts(this.#rule, 'output', [{ role: 'assistant', text }])
      return ranges
    }
    const { ranges, state } = await this.#judge.piece(this.#rule, text, final, this.#state)
    this.#state = state
    return ranges
  }

  /** Lets go of the first characters; undefined is none, and nothing that stands behind a text. */
  #release(boundary: number | undefined, ranges: readonly Range[]): readonly NeutralEvent[] {
    const released: NeutralEvent[] = []
    let at = 0
    let taken = 0
    let rest: NeutralEvent | undefined
    for (const event of this.#held) {
      const said = saidIn(event)
      const end = at + said.length
      if (said !== '' && (boundary === undefined || at >= boundary)) break
      const isCut = boundary !== undefined && end > boundary
      const [head, behind] = isCut ? cutSaid(event, boundary - at) : [event, undefined]
      released.push(this.#unsealed(head, masked(head, at, ranges)))
      taken++
      rest = behind
      at = rest ? (boundary ?? end) : end
      if (rest) break
    }
    if (taken === 0) return released
    this.#held = [...(rest ? [rest] : []), ...this.#held.slice(taken)]
    this.#text = this.#text.slice(at)
    return released
  }

  /** A thought that is not what it was has no seal, whichever of its steps brings it. */
  #unsealed(before: NeutralEvent, after: NeutralEvent): NeutralEvent {
    if (after.type !== 'reasoning') return after
    this.#isThoughtMasked ||= before !== after
    const isMasked = this.#isThoughtMasked
    if (after.done) this.#isThoughtMasked = false
    return isMasked ? sayInstead(after, saidIn(after)) : after
  }
}

/** A step without what is to be masked in it; a place that goes over several is masked in the first. */
function masked(event: NeutralEvent, at: number, ranges: readonly Range[]): NeutralEvent {
  const said = saidIn(event)
  const end = at + said.length
  const inside = ranges.filter((range) => range.start < end && range.end > at)
  if (inside.length === 0) return event
  const own = inside.filter(({ start }) => start >= at).map((range) => placed(range, at, said.length))
  const [first] = inside
  const goesOn = first && first.start < at ? first.end - at : 0
  // What began before was masked there already.
  const rest = said.slice(Math.min(goesOn, said.length))
  const shift = said.length - rest.length
  return sayInstead(
    event,
    maskRanges(
      rest,
      own.map(({ start, end: to }) => ({ start: start - shift, end: to - shift })),
    ),
  )
}

function placed({ start, end }: Range, at: number, length: number): Range {
  return { start: start - at, end: Math.min(end - at, length) }
}
