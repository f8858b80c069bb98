import { say } from '../tab/i18n.ts'
import { Problem } from './problem.ts'

const most = 50
const mostBytes = 1_048_576

/** Requests that wait until somebody signed in again, and are then done: so many, and none that is large. */
export class SignInLine {
  #end = Promise.withResolvers<boolean>()
  #length = 0

  /** Waits with so much; whether somebody signed in. Throws a Problem for what is too much to wait. */
  async wait(bytes: number): Promise<boolean> {
    if (this.#length >= most || bytes > mostBytes) {
      throw new Problem(401, { code: 4010, reason: 'sign_in_first', message: say('shell.sendAgain') })
    }
    this.#length += 1
    try {
      return await this.#end.promise
    } finally {
      this.#length -= 1
    }
  }

  /** Lets all of them go on, or gives them up. */
  end(isSignedIn: boolean): void {
    this.#end.resolve(isSignedIn)
    this.#end = Promise.withResolvers()
  }
}
