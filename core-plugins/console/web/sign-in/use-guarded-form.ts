import type { CaptchaAnswer } from '../api/sign-in.ts'
import { useForm } from '../ui/form/use-form.ts'
import { isCaptchaWanted, useCaptcha } from './use-captcha.ts'

type Work = (captcha: CaptchaAnswer | undefined) => Promise<void>

/** A form that the server may want a captcha for; what was typed in it stays. */
export function useGuardedForm(use: Parameters<typeof useCaptcha>[0]) {
  const captcha = useCaptcha(use)
  const { send: sendForm, ...form } = useForm()

  function send(work: Work): Promise<void> {
    return sendForm(() => attempt(work, true))
  }
  async function attempt(work: Work, mayRepeat: boolean): Promise<void> {
    try {
      await work(await captcha.answer())
    } catch (problem) {
      if (!isCaptchaWanted(problem)) {
        captcha.renew()
        throw problem
      }
      const isSolved = await captcha.take(problem)
      if (isSolved && mayRepeat) return attempt(work, false)
      // That one is wanted is shown by its being there.
      if (problem.code === 4005) throw problem
    }
  }
  return { ...form, captcha, send }
}
