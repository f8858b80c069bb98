import { randomInt } from 'node:crypto'

// Of each class, without letters and digits that look alike.
const classes = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789', '-_+=!?']
const shortest = 16

/** A random password of all four classes of characters, of 16 characters or more where the rules ask for more. */
export function generatePassword(minLength: number): string {
  const length = Math.max(shortest, minLength)
  const all = classes.join('')
  const characters = Array.from({ length }, (_, place) => pick(classes[place] ?? all))
  for (let place = length - 1; place > 0; place--) swap(characters, place, randomInt(place + 1))
  return characters.join('')
}

function pick(characters: string): string {
  return characters.charAt(randomInt(characters.length))
}

function swap(characters: string[], one: number, other: number): void {
  const [first = '', second = ''] = [characters[one], characters[other]]
  characters[one] = second
  characters[other] = first
}
