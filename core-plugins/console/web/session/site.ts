import { ref } from 'vue'

/** What this site is called, as far as the tab was told. */
export const siteName = ref('Stoa')

/** How much is unread, for the name of the tab. */
export const unreadCount = ref(0)

/** What the page that is shown calls itself, such as the tenant that it is about. */
export const pageName = ref<{ readonly path: string; readonly title: string }>()
