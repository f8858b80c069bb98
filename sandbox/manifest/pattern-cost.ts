/** Longest text a pattern is ever run on. */
const inputCap = 4_096
const mostSteps = 2 ** 26
const noExpression = { fault: 'This is no regular expression.' } as const

/** The tokens of a pattern: escapes, classes, group openings, quantifiers, single characters. */
const tokenForm =
  /\\[pPkuxc]\{[^}]*\}|\\[^]|\[(?:\\[^]|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]?)?|[()|]|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/gu
const quantifierForm = /^(?:[*+?]|\{(?<least>\d+)(?<open>,(?<most>\d*))?\})\??$/

/** What is open at a place of the pattern: the pattern itself, or a group in it. */
interface Group {
  /** In how many ways the branch that is read so far can match a text. */
  ways: number
  /** Those of the branches before it. */
  readonly others: number
  /** What it takes to match once, where something is said to stand many times. */
  work: number
  repeats: boolean
  branches: boolean
}

/** A choice costs more than its ways, of which each begins where the choice is: one that may be left out counts as two. */
const choice = 2

const empty: Group = { ways: 1, others: 0, work: 1, repeats: false, branches: false }

/** The most steps that a pattern may take on one text, or why it may not run at all. */
type PatternCost = { readonly steps: number } | { readonly fault: string }

/** Says why a pattern may not run on a user's text in the host's process, where nothing stops it. */
export function patternFault(pattern: string, maxLength?: number): string | undefined {
  const cost = patternCost(pattern, maxLength)
  if ('fault' in cost) return cost.fault
  return cost.steps > mostSteps
    ? 'This could take too long: anchor it with ^, repeat less, or set max_length.'
    : undefined
}

/**
 * Reckons what a pattern may cost on a text of so many characters: the ways in which it can match, each of which is tried when
 * none fits. Pessimistic: every repetition may match every character. Where backtracking could take for ever, or it does not
 * compile, that is a fault.
 */
export function patternCost(pattern: string, maxLength: number = inputCap): PatternCost {
  try {
    new RegExp(pattern, 'u')
  } catch {
    return noExpression
  }
  const length = Math.min(maxLength, inputCap)
  const open: Group[] = []
  let group = { ...empty }
  /** What a quantifier would repeat: the group that has just ended, or one character. */
  let last = empty
  for (const [token] of pattern.matchAll(tokenForm)) {
    if (/^\\[1-9k]/.test(token)) return { fault: 'References to a group are not allowed.' }
    if (/^\(\?(=|!|<)/.test(token)) return { fault: 'Lookaround and named groups are not allowed.' }
    const quantifier = quantifierForm.exec(token)
    if (quantifier) {
      const times = repetition(token, quantifier, length)
      const isRisky = last.repeats || last.branches
      if (isRisky && times.varies && times.most > 1)
        return { fault: 'A repeated group may not repeat or branch inside.' }
      // Each has been counted once already.
      if (!times.varies) group.ways *= last.ways ** Math.max(0, times.most - 1)
      else group.ways *= times.most > 1 ? times.most : (last.ways + choice) / last.ways
      if (!times.varies) group.work *= Math.max(1, times.most)
      group.repeats ||= times.varies
    }
    last = empty
    if (token.startsWith('(')) {
      open.push(group)
      group = { ...empty }
    } else if (token === '|') group = { ...group, ways: 1, others: group.others + group.ways, branches: true }
    else if (token === ')') {
      last = { ...group, ways: group.ways + group.others + (group.branches ? choice - 1 : 0) }
      group = open.pop() ?? { ...empty }
      group.ways *= last.ways
      group.work *= last.work
      group.repeats ||= last.repeats
      group.branches ||= last.branches
    }
  }
  // One of several branches may begin anywhere.
  const places = pattern.startsWith('^') && group.others === 0 ? 1 : length
  return { steps: places * (group.ways + group.others) * group.work }
}

/** How often a quantifier has its part matched at most, and whether it can end in more than one way. */
function repetition(token: string, { groups }: RegExpExecArray, length: number): { most: number; varies: boolean } {
  if (token.startsWith('?')) return { most: 1, varies: true }
  if (!token.startsWith('{')) return { most: length, varies: true }
  const least = Number(groups?.['least'])
  if (groups?.['open'] === undefined) return { most: least, varies: false }
  const most = groups['most'] === '' ? Math.max(least, length) : Number(groups['most'])
  return { most, varies: most !== least }
}
