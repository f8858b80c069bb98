import { ref } from 'vue'
import { applyBrand, paper } from './brand.ts'
import { keepHint, readHint, type Theme } from './hint.ts'

const system = matchMedia('(prefers-color-scheme: dark)')

/** What the reader chose. */
export const theme = ref<Theme>(readHint().theme ?? 'system')

/** Which shades the page has now: chosen, or the system's. */
export const isDark = ref(document.documentElement.dataset['theme'] === 'dark')

/** Chooses a theme, for this tab and those to come. */
export function setTheme(wanted: Theme): void {
  theme.value = wanted
  keepHint({ theme: wanted })
  apply()
}

/** Follows the system's theme while the reader leaves it to it. */
export function followSystemTheme(): void {
  system.addEventListener('change', apply)
  paper.addEventListener('change', applyBrand)
  apply()
}

function apply(): void {
  const isWanted = theme.value === 'dark' || (theme.value === 'system' && system.matches)
  document.documentElement.dataset['theme'] = isWanted ? 'dark' : 'light'
  isDark.value = isWanted
  applyBrand()
}
