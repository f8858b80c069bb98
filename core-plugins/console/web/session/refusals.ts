import type { Problem } from './problem.ts'

/** Whether a token is only old: another one is to be had. */
export function isAccessOld({ code }: Problem): boolean {
  return code === 4012
}

/** Whether the session behind a token is over. */
export function isAccessEnded({ code }: Problem): boolean {
  return code >= 4013 && code <= 4016
}

/** Whether what is asked wants a newer sign-in than that of the session; no route of a plugin may make the console ask for one. */
export function isSignInOld({ code }: Problem): boolean {
  return code === 4018
}

/** Whether the server said that there is no session, rather than that it cannot say. */
export function isSessionRefused({ status }: Problem): boolean {
  return status === 401 || status === 403 || status === 422
}

/** Why the session is over, as the refusal tells. */
export function causeOf({ details, reason }: Problem): string {
  return typeof details['cause'] === 'string' ? details['cause'] : reason
}
