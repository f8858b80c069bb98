import { pluginHash8 } from '#sandbox'
import type { ReviewFinding } from '../index-format/review-file.ts'
import { distance } from '../nearest.ts'

/** Letters and pairs of letters that a reader takes for one another, most of all in small print. */
const lookAlike: readonly (readonly [RegExp, string])[] = [
  [/[-.]/g, ''],
  [/0/g, 'o'],
  [/1/g, 'l'],
  [/5/g, 's'],
  [/8/g, 'b'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
  // After the pairs: "ci" looks like "cl", and not like "d".
  [/i/g, 'l'],
]

/** Compares a new name with those that an index has: names of other publishers that a reader takes for it, and tables that would be the same. */
export function checkName(name: string, others: Iterable<string>): readonly ReviewFinding[] {
  const [publisher = '', short = ''] = name.split('.')
  return [...others].flatMap((other): readonly ReviewFinding[] => {
    if (other === name) return []
    if (pluginHash8(other) === pluginHash8(name))
      return [
        {
          level: 'error',
          rule: 'table_prefix',
          message: `Its tables would be those of ${other}: choose another name.`,
        },
      ]
    const [owner = '', rest = ''] = other.split('.')
    // Within one publisher's names nobody is deceived.
    if (owner === publisher) return []
    if (skeletonOf(other) === skeletonOf(name))
      return [{ level: 'error', rule: 'name_confusable', message: `It reads like ${other} of another publisher.` }]
    if (isNear(owner, publisher) && isNear(rest, short))
      return [
        { level: 'warning', rule: 'name_near', message: `It is nearly the name of ${other}, of another publisher.` },
      ]
    return []
  })
}

/** What is left of a name when everything is taken away that a reader does not see. */
function skeletonOf(name: string): string {
  return lookAlike.reduce((text, [pattern, letter]) => text.replace(pattern, letter), name)
}

/** Equal, or so alike that one is a slip of the pen of the other: one slip in short words, two in long ones. */
function isNear(one: string, other: string): boolean {
  const slips = Math.min(one.length, other.length) >= 8 ? 2 : 1
  return one === other || (Math.min(one.length, other.length) >= 4 && distance(one, other) <= slips)
}
