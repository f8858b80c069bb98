import { AppError } from '#kernel'
import type { CaptchaProvider } from './contract.ts'
import { CaptchaProviderError } from './errors.ts'

/** Asks a provider; whatever goes wrong in a plugin is 502/5026, and in the platform's own too unless it says what it is. */
export async function askProvider<T>(provider: CaptchaProvider, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (provider.plugin === null && cause instanceof AppError) throw cause
    throw new CaptchaProviderError({ provider: provider.code }, { cause })
  }
}
