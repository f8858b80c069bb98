import { watchEffect } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRoute } from 'vue-router'
import { pageName, siteName, unreadCount } from '../session/site.ts'

/** Keeps the name of the tab: what is shown, the page that it is on, and the site, each once; before it what is unread. */
export function useTitle(): void {
  const { t } = useI18n()
  const route = useRoute()
  watchEffect(() => {
    const own = pageName.value?.path === route.path ? pageName.value : undefined
    const page = own?.page ?? (route.meta.title === undefined ? undefined : t(route.meta.title))
    const parts = [own?.state, own?.title, page, siteName.value].filter((part) => part !== undefined && part !== '')
    const unread = unreadCount.value > 0 ? `(${unreadCount.value}) ` : ''
    document.title = `${unread}${[...new Set(parts)].join(' · ')}`
  })
}
