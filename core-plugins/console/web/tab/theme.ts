import { ref } from 'vue'
import { keepHint, readHint, type Theme } from './hint.ts'

const system = matchMedia('(prefers-color-scheme: dark)')

/** What the reader chose. */
export const theme = ref<Theme>(readHint().theme ?? 'system')

/** Chooses a theme, for this tab and those to come. */
export function setTheme(wanted: Theme): void {
  theme.value = wanted
  keepHint({ theme: wanted })
  apply()
}

/** Follows the system's theme while the reader leaves it to it. */
export function followSystemTheme(): void {
  system.addEventListener('change', apply)
  apply()
}

function apply(): void {
  const isDark = theme.value === 'dark' || (theme.value === 'system' && system.matches)
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
}
