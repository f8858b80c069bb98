/** Something outside the program is wrong and the start ends with this one line. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
