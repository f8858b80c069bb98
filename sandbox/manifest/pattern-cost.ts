/** Longest text a pattern is ever run on. */
const INPUT_CAP = 4_096
const MOST_STEPS = 2 ** 26
const NO_EXPRESSION = { fault: 'This is no regular expression.' } as const

/** The tokens of a pattern: escapes, classes, group openings, quantifiers, single characters. */
const TOKEN =
  /\\[pPkuxc]\{[^}]*\}|\\[^]|\[(?:\\[^]|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]?)?|[()|]|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/gu
const QUANTIFIER = /^(?:[*+?]|\{(?<least>\d+)(?<open>,(?<most>\d*))?\})\??$/

interface Group {
  repeats: boolean
  branches: boolean
}

/** The most steps that a pattern may take on one text, or why it may not run at all. */
export type PatternCost = { readonly steps: number } | { readonly fault: string }

/** Says why a pattern may not run on a user's text in the host's process, where nothing stops it. */
export function patternFault(pattern: string, maxLength?: number): string | undefined {
  const cost = patternCost(pattern, maxLength)
  if ('fault' in cost) return cost.fault
  return cost.steps > MOST_STEPS
    ? 'This could take too long: anchor it with ^, repeat less, or set max_length.'
    : undefined
}

/**
 * Reckons what a pattern may cost on a text of so many characters. Pessimistic: every repetition may match every character. Where
 * backtracking could take for ever, or it does not compile, that is a fault.
 */
export function patternCost(pattern: string, maxLength: number = INPUT_CAP): PatternCost {
  try {
    new RegExp(pattern, 'u')
  } catch {
    return NO_EXPRESSION
  }
  const length = Math.min(maxLength, INPUT_CAP)
  let steps = pattern.startsWith('^') ? 1 : length
  const groups: Group[] = [{ repeats: false, branches: false }]
  let closed: Group | undefined
  for (const [token] of pattern.matchAll(TOKEN)) {
    const group = groups.at(-1)
    if (!group) return NO_EXPRESSION
    const quantifier = QUANTIFIER.exec(token)
    if (/^\\[1-9k]/.test(token)) return { fault: 'References to a group are not allowed.' }
    if (/^\(\?(=|!|<)/.test(token)) return { fault: 'Lookaround and named groups are not allowed.' }
    if (token.startsWith('(')) groups.push({ repeats: false, branches: false })
    else if (token === '|') group.branches = true
    else if (quantifier) {
      const { work, varies } = repetition(token, quantifier, length)
      if (varies && closed && (closed.repeats || closed.branches))
        return { fault: 'A repeated group may not repeat or branch inside.' }
      group.repeats ||= varies
      steps *= work
    }
    const leaving = token === ')' ? groups.pop() : undefined
    const outer = groups.at(-1)
    if (leaving && outer) {
      outer.repeats ||= leaving.repeats
      outer.branches ||= leaving.branches
    }
    closed = leaving
  }
  return { steps }
}

/** How much a quantifier multiplies the work, and whether it can end in more than one way. */
function repetition(token: string, { groups }: RegExpExecArray, length: number): { work: number; varies: boolean } {
  if (token.startsWith('?')) return { work: 2, varies: true }
  if (!token.startsWith('{')) return { work: length, varies: true }
  const least = Number(groups?.['least'])
  if (groups?.['open'] === undefined) return { work: Math.max(1, least), varies: false }
  const most = groups['most'] === '' ? Math.max(least, length) : Number(groups['most'])
  return { work: Math.max(1, most), varies: most !== least }
}
