const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
const length = 20

/** A password that nobody guesses and everybody can read out: no letter looks like another. */
export function makePassword(): string {
  const bytes = crypto.getRandomValues(new Uint32Array(length))
  const text = Array.from(bytes, (number) => letters[number % letters.length]).join('')
  return `${text.slice(0, 5)}-${text.slice(5, 10)}-${text.slice(10, 15)}-${text.slice(15)}`
}
