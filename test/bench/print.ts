/** Prints one figure with what it should be. */
export function print(name: string, value: string, aim: string): void {
  console.log(`${name.padEnd(64)} ${value.padStart(14)}   ${aim}`)
}
