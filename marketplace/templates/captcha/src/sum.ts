import type { Captcha } from '@stoa/plugin-sdk'

const mostOf = { easy: 10, medium: 30, hard: 90 } as const

/** A question, and what the platform keeps of it until the answer comes; the caller sees only the question. */
export const challenge: Captcha['challenge'] = ({ difficulty }, { crypto }) => {
  const most = mostOf[difficulty]
  const [left = 0, right = 0] = crypto.randomBytes(2)
  const numbers = [left % most, right % most] as const
  return Promise.resolve({
    challenge: { question: `${numbers[0]} + ${numbers[1]}` },
    state: { sum: numbers[0] + numbers[1] },
  })
}

/** Whether the answer is the one that was kept. */
export const verify: Captcha['verify'] = ({ solution, state }) => {
  const { sum } = state as { readonly sum: number }
  return Promise.resolve({ valid: Number(solution) === sum })
}
